import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startsWith } from '../../../local/demo/start-service.ts';

test('the demo and the benches start the service with the settings of npm start', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const environment = Object.entries(startsWith.environment).map(([name, value]) => `${name}=\${${name}:-${value}}`);
  expect(scripts.start).toBe([...environment, 'exec node', ...startsWith.options, 'src/main.ts'].join(' '));
});
