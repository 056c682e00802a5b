import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import nock from 'nock';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHttpServer } from '../../src/http/create-http-server.ts';
import { problemShape } from '../support/doors/api.ts';
import { sendRaw } from '../support/doors/raw-request.ts';

// nock reads what a client sends as HTTP, also where it lets it through.
beforeAll(() => nock.restore());
afterAll(() => nock.activate());

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end('ok'),
  { headersMs = 10_000, unreadAnswerMs = 10_000 } = {},
) {
  const server = createHttpServer(handle, { headersMs, requestMs: 10_000, silentConnectionMs: 10_000, unreadAnswerMs });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const lines = (...all: string[]) => [...all, '', ''].join('\r\n');

test.each<[string, number, string]>([
  ['that is not HTTP', 400, 'hello\r\n\r\n'],
  ['of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['with an unknown method', 400, lines('FETCH / HTTP/1.1', 'Host: a')],
  ['with two lengths', 400, lines('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2')],
  [
    'with a length and chunks',
    400,
    lines('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
  ],
  ['with a line feed in a header', 400, lines('GET / HTTP/1.1', 'Host: a', 'X: a\nb')],
  ['without Host', 400, lines('GET / HTTP/1.1')],
  ['with two Hosts', 400, lines('GET / HTTP/1.1', 'Host: a', 'Host: b')],
  ['to connect elsewhere', 405, lines('CONNECT a:443 HTTP/1.1', 'Host: a:443')],
  ['in chunks', 411, lines('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')],
  ['with an unknown expectation', 417, lines('GET / HTTP/1.1', 'Host: a', 'Expect: a-miracle', 'Connection: close')],
  ['with a long URL', 431, lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: a')],
  ['with long headers', 431, lines('GET / HTTP/1.1', 'Host: a', `X: ${'a'.repeat(20_000)}`)],
])('promise 24: a request %s gets %i as problem+json', async (_what, status, bytes) => {
  await using server = await serve();
  const answer = await sendRaw(server.port, bytes.replace('Host: a\r\n', 'Host: a\r\nConnection: close\r\n'));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  const requestId = answer.headers.get('x-request-id');
  expect(problemShape.parse(JSON.parse(answer.body))).toMatchObject({ status, instance: `urn:uuid:${requestId}` });
});

test('promise 24: headers that arrive too slowly get 408 as problem+json', async () => {
  await using server = await serve(undefined, { headersMs: 50 });
  const answer = await sendRaw(server.port, 'GET / HTTP/1.1\r\nHost:');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([408, 'application/problem+json; charset=utf-8']);
});

test('bad bytes behind a request whose answer has begun add no second answer', async () => {
  await using server = await serve((_request, response) => void response.write('first half'));
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(lines('GET / HTTP/1.1', 'Host: a'));
  await once(socket, 'data');
  let later = '';
  socket.on('data', (part) => {
    later += part;
  });
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'close');
  expect(later).not.toContain('HTTP/1.1');
});

test('promise 7: a body that nobody reads stays outside of the process', async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  await using server = await serve((request) => asked.resolve(request));
  const socket = connect(server.port, '127.0.0.1').setNoDelay(true);
  socket.write(lines('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1000000'));
  const request = await asked.promise;
  for (let sent = 0; sent < 2_000; sent += 1) {
    socket.write('a');
    await nextTurn();
  }
  expect(request.readableLength).toBeLessThan(10);
  socket.destroy();
});

test('an unread body is dropped, and the connection serves the next request', async () => {
  await using server = await serve();
  const body = 'a'.repeat(200_000);
  const post = lines('POST / HTTP/1.1', 'Host: a', `Content-Length: ${body.length}`) + body;
  const { status, body: rest } = await sendRaw(
    server.port,
    post + lines('GET / HTTP/1.1', 'Host: a', 'Connection: close'),
  );
  expect([status, rest.match(/HTTP\/1.1 200/g)?.length]).toEqual([200, 1]);
});

test('promise 42: requests on one connection are served one after another, in their order', async () => {
  const begun: string[] = [];
  const answers: ServerResponse[] = [];
  await using server = await serve((request, response) => {
    begun.push(request.url ?? '');
    answers.push(response);
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(['/1', '/2', '/3'].map((path) => lines(`GET ${path} HTTP/1.1`, 'Host: a')).join(''));
  for (const path of ['/1', '/2', '/3']) {
    await vi.waitFor(() => expect(begun.at(-1)).toBe(path));
    answers.at(-1)?.end(path);
    await once(socket, 'data');
  }
  expect(begun).toEqual(['/1', '/2', '/3']);
  socket.destroy();
});

test('promise 42: a body behind another request arrives whole', async () => {
  const bodies: string[] = [];
  await using server = await serve(async (request, response) => {
    let body = '';
    if (request.method === 'POST') for await (const part of request) body += part;
    bodies.push(body);
    response.end('ok');
  });
  const socket = connect(server.port, '127.0.0.1');
  const body = 'x'.repeat(200_000);
  const post = lines('POST / HTTP/1.1', 'Host: a', `Content-Length: ${body.length}`) + body;
  socket.write(
    lines('GET / HTTP/1.1', 'Host: a') + post + post + lines('GET / HTTP/1.1', 'Host: a', 'Connection: close'),
  );
  socket.resume();
  await once(socket, 'close');
  expect(bodies.map(({ length }) => length)).toEqual([0, body.length, body.length, 0]);
});

test('promise 42: a client that pipelines hundreds of requests loses its connection', async () => {
  let begun = 0;
  await using server = await serve(() => {
    begun += 1;
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(lines('GET / HTTP/1.1', 'Host: a').repeat(500));
  await once(socket.resume(), 'close');
  expect(begun).toBe(1);
});

test('promise 42: a client that does not take its answer loses its connection', async () => {
  const answer = Buffer.alloc(32 * 1024 * 1024);
  await using server = await serve((_request, response) => response.end(answer), { unreadAnswerMs: 50 });
  const closed = once(server.server, 'connection').then(([connection]) => once(connection, 'close'));
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(lines('GET / HTTP/1.1', 'Host: a'));
  await closed;
  socket.destroy();
});
