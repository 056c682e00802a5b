import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as startRequest } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import nock from 'nock';
import { Probot } from 'probot';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { webhookPath } from '../../../src/config/urls.ts';
import { createWebhookReceiver } from '../../../src/http/webhooks/webhook-receiver.ts';
import { createLog } from '../../../src/log.ts';

// What stands between a client and its socket would hold back a body that never ends.
beforeAll(() => nock.restore());
afterAll(() => nock.activate());
afterEach(() => void vi.useRealTimers());

const secret = 'a-secret-of-enough-characters';
const canary = 'canary-in-the-payload';
const payload = JSON.stringify({ action: 'closed', note: canary });
const sign = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
const headersOf = (body: string, key?: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-github-event': 'pull_request',
  'x-github-delivery': randomUUID(),
  'x-hub-signature-256': sign(body, key),
});

/** The door on a port of its own, with what got through it and what it logged. `store` is what a handler does. */
async function startDoor({
  store = async () => {},
  ...bound
}: {
  store?: () => Promise<void>;
  maxTotalBytes?: number;
} = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLog({ level: 'trace', redact: (line) => line, destination: { write } });
  const probot = new Probot({ appId: 1, privateKey: 'none', secret, log: log.child({ name: 'probot' }) });
  const received: { id: string; name: string }[] = [];
  probot.onAny(async ({ id, name }) => {
    await store();
    received.push({ id, name });
  });
  const door = createWebhookReceiver({ probot, secret, log, ...bound });
  let bytesRead = 0;
  const server = createServer(async (request, response) => {
    const { socket } = request;
    socket.on('close', () => {
      bytesRead += socket.bytesRead;
    });
    if (!(await door(request, response))) response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    received,
    lines,
    bytesRead: () => bytesRead,
    post: (body: string, headers = headersOf(body), method = 'POST') =>
      fetch(`http://127.0.0.1:${port}${webhookPath}`, { method, headers, ...(method === 'POST' && { body }) }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a signed delivery is received once, with its id and event', async () => {
  await using door = await startDoor();
  const headers = headersOf(payload);
  const answer = await door.post(payload, headers);
  expect([answer.status, await answer.json()]).toEqual([202, { message: 'stored' }]);
  expect(door.received).toEqual([{ id: headers['x-github-delivery'], name: 'pull_request' }]);
});

const without = (name: string) => {
  const { [name]: _gone, ...rest } = headersOf(payload);
  return rest;
};

test.each<[string, number, Record<string, string>, string]>([
  ['without a signature', 400, without('x-hub-signature-256'), payload],
  ['without an event', 400, without('x-github-event'), payload],
  ['without a delivery id', 400, without('x-github-delivery'), payload],
  [
    'with a header of thousands of characters',
    400,
    { ...headersOf(payload), 'x-github-event': 'e'.repeat(5_000) },
    payload,
  ],
  ['with a signature by another secret', 401, headersOf(payload, 'another-secret-of-enough-length'), payload],
  ['with a signature by the secret that everybody knows', 401, headersOf(payload, 'development'), payload],
  ['with a signature of another body', 401, headersOf('{}'), payload],
  ['with a signature in another form', 401, { ...headersOf(payload), 'x-hub-signature-256': canary }, payload],
  ['as a form', 415, { ...headersOf(payload), 'content-type': 'application/x-www-form-urlencoded' }, payload],
  ['with a body that is no JSON', 400, headersOf(`{${canary}`), `{${canary}`],
  ['with a body that is no object', 400, headersOf(`["${canary}"]`), `["${canary}"]`],
])('promise 7: a delivery %s is refused and not logged', async (_name, status, headers, body) => {
  await using door = await startDoor();
  const answer = await door.post(body, headers);
  expect(answer.status).toBe(status);
  expect(await answer.text()).not.toContain(canary);
  expect(door.received).toEqual([]);
  expect(door.lines.join('')).not.toContain(canary);
});

test('promise 7: methods other than POST are refused with Allow', async () => {
  await using door = await startDoor();
  const answer = await door.post('', {}, 'GET');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('promise 7: a body with a too large Content-Length is refused before it is read', async () => {
  await using door = await startDoor();
  const socket = connect(door.port, '127.0.0.1');
  const headers = { ...headersOf(payload), host: 'localhost', 'content-length': String(1024 ** 3) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${webhookPath} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(answer)).toMatch(/connection: close/i);
  socket.destroy();
  expect(await eventually(() => door.bytesRead() || undefined)).toBeLessThan(2_000);
});

test('promise 7: a body without a length is cut at the limit', async () => {
  await using door = await startDoor();
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const headers = { ...headersOf(payload), 'transfer-encoding': 'chunked' };
  const request = startRequest({ port: door.port, host: '127.0.0.1', path: webhookPath, method: 'POST', headers });
  request.on('response', (response: { statusCode?: number; headers: IncomingHttpHeaders; resume(): void }) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.on('error', () => resolve('cut'));
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  let isOver = false;
  void promise.then(() => {
    isOver = true;
  });
  for (let sent = 0; sent < 200 && !isOver; sent += 1) {
    if (!request.write(chunk)) await Promise.race([once(request, 'drain').catch(() => {}), promise]);
  }
  expect([413, 'cut']).toContain(await promise);
  request.destroy();
  expect(await eventually(() => door.bytesRead() || undefined)).toBeLessThan(27 * 1024 * 1024);
  expect(door.received).toEqual([]);
});

test('promise 7: unverified bodies share a memory limit, beyond which the next one gets 503', async () => {
  const maxTotalBytes = 400_000;
  await using door = await startDoor({ maxTotalBytes });
  const part = maxTotalBytes / 2;
  const sockets = [1, 2].map(() => {
    const socket = connect(door.port, '127.0.0.1');
    const lines = Object.entries({ ...headersOf(payload), host: 'localhost', 'content-length': String(part + 1) });
    socket.write(
      [`POST ${webhookPath} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '', 'a'.repeat(part)].join('\r\n'),
    );
    return socket;
  });
  const refused = await eventually(async () => {
    const answer = await door.post(payload);
    return answer.status === 503 ? answer : undefined;
  });
  expect(refused.headers.get('retry-after')).toBe('10');
  for (const socket of sockets) socket.destroy();
  const taken = await eventually(async () => ((await door.post(payload)).status === 202 ? true : undefined));
  expect(taken).toBe(true);
  expect(door.lines.join('')).not.toContain(canary);
});

test('promise 7: a body that takes longer than GitHub’s time-out is cut', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using door = await startDoor();
  const socket = connect(door.port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  const lines = Object.entries({ ...headersOf(payload), host: 'localhost', 'content-length': '1000' });
  socket.write([`POST ${webhookPath} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '', '{"a":'].join('\r\n'));
  while (vi.getTimerCount() === 0) await tick();
  vi.advanceTimersByTime(10_000);
  await closed;
  expect(door.received).toEqual([]);
});

test('a delivery that cannot be stored gets 503, and the reason is logged', async () => {
  await using door = await startDoor({
    store: async () => {
      throw new Error('the database is away');
    },
  });
  const answer = await door.post(payload);
  expect(answer.status).toBe(503);
  expect(door.lines.join('')).toContain('the database is away');
});

test('other paths are left to the next handler', async () => {
  await using door = await startDoor();
  expect((await fetch(`http://127.0.0.1:${door.port}/livez`)).status).toBe(404);
  const answer = await fetch(`http://127.0.0.1:${door.port}${webhookPath}/?a=b`, {
    method: 'POST',
    headers: headersOf(payload),
    body: payload,
  });
  expect(answer.status).toBe(202);
});
