import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startsWith } from '../../../local/demo/start-service.ts';

test('the demo and the benches start the service with the settings of pagewright start', async () => {
  const launcher = await readFile('bin/pagewright', 'utf8');
  for (const [name, value] of Object.entries(startsWith.environment))
    expect(launcher).toContain(`export ${name}="\${${name}:-${value}}"`);
  expect(launcher).toContain(`set -- ${startsWith.options.join(' ')} "$main"`);
});
