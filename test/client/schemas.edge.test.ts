import { expect, test } from 'vitest';
import { createOpenApi } from '../../src/http/api/description/openapi.ts';
import { generateTypes } from './generate-types.ts';

test('the types of the client are those of the description; npx vitest run -u writes them again', async () => {
  const types = await generateTypes(JSON.stringify({ ...createOpenApi(), paths: {}, webhooks: {} }));
  const text = `// Made from the description of the API by test/client/schemas.edge.test.ts.\n${types}`;
  await expect(text).toMatchFileSnapshot('../../client/schemas.ts');
});
