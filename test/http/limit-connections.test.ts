import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { limitConnections } from '../../src/http/create-http-server.ts';

// nock reads what a client sends as HTTP, also where it lets it through.
beforeAll(() => nock.restore());
afterAll(() => nock.activate());

async function serve(maxConnections: number) {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/wait') waiting.push(response);
    else response.end('ok');
  });
  limitConnections(server, maxConnections);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    waiting,
    async open(path?: string): Promise<Socket> {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return socket;
    },
    countConnections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('promise 7: idle connections at the limit do not keep a new one out; the oldest of them is closed', async () => {
  await using server = await serve(10);
  const busy = await server.open('/wait');
  await eventually(() => server.waiting.length === 1 || undefined);
  const idle: Socket[] = [];
  for (let count = 1; count < 10; count += 1) idle.push(await server.open());
  await eventually(async () => (await server.countConnections()) === 10 || undefined);
  const closed = once(idle[0]?.resume() ?? busy, 'close');
  const [answer] = await once(await server.open('/'), 'data');
  expect(String(answer)).toContain('HTTP/1.1 200');
  await closed;
  server.waiting[0]?.end('done');
  const [later] = await once(busy, 'data');
  expect(String(later)).toContain('done');
  expect(await server.countConnections()).toBe(10);
});

test('promise 7: where every connection has a request, the oldest request makes room', async () => {
  await using server = await serve(3);
  const sockets = [];
  for (let count = 1; count <= 3; count += 1) {
    sockets.push(await server.open('/wait'));
    await eventually(() => server.waiting.length === count || undefined);
  }
  const closed = once(sockets[0]?.resume() ?? (await server.open()), 'close');
  const [answer] = await once(await server.open('/'), 'data');
  expect(String(answer)).toContain('HTTP/1.1 200');
  await closed;
});
