import { once } from 'node:events';
import express from 'express';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../../src/http/create-http-server.ts';
import { createStaticAnswer } from '../../../src/http/pages/create-static-answer.ts';

const body = JSON.stringify({ text: 'Words that repeat. '.repeat(500) });

async function serve() {
  const answer = createStaticAnswer({ type: 'application/json', body, headers: { 'Cache-Control': 'x' } });
  const server = createHttpServer(express().get('/', answer));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  return {
    get: (headers: Record<string, string>, method = 'GET') => fetch(url, { method, headers }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each<[string, string, string | null]>([
  ['takes brotli', 'gzip, deflate, br', 'br'],
  ['takes gzip', 'gzip', 'gzip'],
  ['refuses both', 'gzip;q=0, br;q=0', null],
])('a client that %s gets the bytes in that form, and their length', async (_what, accepted, encoding) => {
  await using server = await serve();
  const answer = await server.get({ 'accept-encoding': accepted });
  expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([encoding, 'x']);
  const length = Number(answer.headers.get('content-length'));
  expect(encoding === null ? length === body.length : length < body.length / 10).toBe(true);
  expect(await answer.text()).toBe(body);
});

test('a client that has the bytes gets 304, whichever form it has', async () => {
  await using server = await serve();
  const first = await server.get({ 'accept-encoding': 'gzip' });
  const etag = first.headers.get('etag') ?? '';
  expect(await first.text()).toBe(body);
  const again = await server.get({ 'accept-encoding': 'br', 'if-none-match': `W/"x", ${etag}` });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const other = await server.get({ 'if-none-match': '"other"' });
  expect([other.status, await other.text()]).toEqual([200, body]);
});

test('HEAD gets the headers alone', async () => {
  await using server = await serve();
  const answer = await server.get({ 'accept-encoding': 'identity' }, 'HEAD');
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
    200,
    String(body.length),
    '',
  ]);
});
