import { expect, test } from 'vitest';
import { startModelServer } from '../../../local/model/start-model-server.ts';
import { createBoundedFetch } from '../../../src/agent/model/event-stream.ts';

test('an answer over the limit throws an error, a smaller one arrives whole', async () => {
  await using server = await startModelServer({ script: () => ({ fault: { kind: 'html' } }) });
  const ask = (bounds: { maxBytes: number; maxErrorBytes: number }, body: object) =>
    createBoundedFetch(bounds)(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  const good = { model: 'm', messages: [{ role: 'user', content: 'a' }], stream: true };
  expect(await (await ask({ maxBytes: 1_000, maxErrorBytes: 1 }, good)).text()).toMatch(/Sign in/);
  await expect((await ask({ maxBytes: 10, maxErrorBytes: 1_000 }, good)).text()).rejects.toThrow('more than 10 bytes');
  expect(await (await ask({ maxBytes: 1, maxErrorBytes: 1_000 }, {})).text()).toMatch(/invalid_value/);
  await expect((await ask({ maxBytes: 1_000, maxErrorBytes: 10 }, {})).text()).rejects.toThrow('more than 10 bytes');
});
