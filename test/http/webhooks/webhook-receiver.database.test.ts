import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import nock from 'nock';
import { Probot } from 'probot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { webhookPath } from '../../../src/config/urls.ts';
import { createBodyBudget } from '../../../src/http/bodies/body-budget.ts';
import { createReadBody } from '../../../src/http/bodies/read-body.ts';
import { createHttpServer } from '../../../src/http/create-http-server.ts';
import { createWebhookReceiver } from '../../../src/http/webhooks/webhook-receiver.ts';
import { createLog } from '../../../src/log.ts';

// What stands between a client and its socket would hold back a body that never ends.
beforeAll(() => nock.restore());
afterAll(() => nock.activate());

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

/** The receiver on a port of its own, with what got through it and what it logged. `store` is what a handler does. */
async function startReceiver({
  store = async () => {},
  bodyMs,
}: {
  store?: () => Promise<void>;
  bodyMs?: number;
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
  const budget = createBodyBudget({ timing: { largeBodyWaitMs: 1_000, largeBodyWindowMs: 100 } });
  const readBody = createReadBody({ budget, ...(bodyMs !== undefined && { bodyMs }) });
  const receive = createWebhookReceiver({ probot, secret, log, readBody });
  let bytesRead = 0;
  const server = createHttpServer(async (request, response) => {
    const { socket } = request;
    socket.on('close', () => {
      bytesRead += socket.bytesRead;
    });
    if (!(await receive(request, response))) response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    received,
    lines,
    budget,
    bytesRead: () => bytesRead,
    post: (body: string, headers = headersOf(body), method = 'POST') =>
      fetch(`http://127.0.0.1:${port}${webhookPath}`, { method, headers, ...(method === 'POST' && { body }) }),
    /** Sends the headers of a body of `size` bytes, and its first part. */
    begin(size: number, part: Buffer | string = '', headers: Record<string, string> = headersOf(payload)) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const all = { ...headers, host: 'localhost', 'content-length': String(size) };
      const lines = Object.entries(all).map((line) => line.join(': '));
      socket.write([`POST ${webhookPath} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      socket.write(part);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a signed delivery is received once, with its id and event', async () => {
  await using receiver = await startReceiver();
  const headers = headersOf(payload);
  const answer = await receiver.post(payload, headers);
  expect([answer.status, await answer.json()]).toEqual([202, { message: 'stored' }]);
  expect(receiver.received).toEqual([{ id: headers['x-github-delivery'], name: 'pull_request' }]);
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
  await using receiver = await startReceiver();
  const answer = await receiver.post(body, headers);
  expect(answer.status).toBe(status);
  expect(await answer.text()).not.toContain(canary);
  expect(receiver.received).toEqual([]);
  expect(receiver.lines.join('')).not.toContain(canary);
});

test('promise 7: methods other than POST are refused with Allow', async () => {
  await using receiver = await startReceiver();
  const answer = await receiver.post('', {}, 'GET');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('promise 7: a body with a too large Content-Length is refused before it is read', async () => {
  await using receiver = await startReceiver();
  const socket = receiver.begin(1024 ** 3);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(answer)).toMatch(/connection: close/i);
  socket.destroy();
  expect(await eventually(() => receiver.bytesRead() || undefined)).toBeLessThan(2_000);
});

test('promise 7: a body without a length is refused before a byte is kept', async () => {
  await using receiver = await startReceiver();
  const socket = connect(receiver.port, '127.0.0.1');
  const lines = Object.entries({ ...headersOf(payload), host: 'localhost', 'transfer-encoding': 'chunked' });
  const chunk = `${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`;
  socket.write([`POST ${webhookPath} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '', chunk].join('\r\n'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 411 /);
  expect(String(answer)).toMatch(/connection: close/i);
  socket.destroy();
  expect(receiver.budget.countBytes()).toBe(0);
  expect(receiver.received).toEqual([]);
});

const large = JSON.stringify({ action: 'closed', note: 'a'.repeat(2 * 1024 * 1024) });

test.each<[string, number, number, string]>([
  ['that send nothing', 5, 0, payload],
  ['that send nothing', 5, 0, large],
  ['that stop after 1 of 25 MB', 5, 1024 * 1024, payload],
  ['that stop after 1 of 25 MB', 5, 1024 * 1024, large],
  ['that hold 255 KB', 40, 255 * 1024, payload],
])(
  'promise 7: while connections %s are open (%i of them), a signed delivery is stored within a second',
  async (...row) => {
    const [, count, sent, delivery] = row;
    await using receiver = await startReceiver();
    const size = count > 5 ? sent + 1 : 25 * 1024 * 1024;
    const sockets = Array.from({ length: count }, () => receiver.begin(size, Buffer.alloc(sent, 'a')));
    await eventually(() => receiver.budget.countBytes() > 4 * 64 * 1024 || undefined);
    const startedAt = performance.now();
    const answer = await receiver.post(delivery);
    expect([answer.status, await answer.text(), performance.now() - startedAt < 1_000]).toEqual([
      202,
      expect.any(String),
      true,
    ]);
    expect(receiver.budget.countBytes()).toBeLessThanOrEqual(32_000_000);
    for (const socket of sockets) socket.destroy();
    expect(await eventually(() => receiver.budget.countBytes() === 0 || undefined)).toBe(true);
    expect(receiver.lines.join('')).not.toContain('aaaa');
  },
);

test('promise 7: a refused body gets 503 with Retry-After', async () => {
  await using receiver = await startReceiver();
  const answers = Array.from({ length: 21 }, () => once(receiver.begin(256 * 1024, 'a'), 'data'));
  const [answer] = await Promise.race(answers);
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
  expect(String(answer)).toMatch(/retry-after: 10\r\n/i);
});

test('promise 7: a body that takes longer than GitHub’s time-out is refused', async () => {
  await using receiver = await startReceiver({ bodyMs: 50 });
  const [answer] = await once(receiver.begin(1_000, '{"a":'), 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  expect(receiver.budget.countBytes()).toBe(0);
  expect(receiver.received).toEqual([]);
});

test('a client that expects 100 Continue sends its body after it', async () => {
  await using receiver = await startReceiver();
  const socket = receiver.begin(payload.length, '', { ...headersOf(payload), expect: '100-continue' });
  const [first] = await once(socket, 'data');
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(payload);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 202 /);
  socket.destroy();
});

test('a delivery that cannot be stored gets 503, and the reason is logged', async () => {
  await using receiver = await startReceiver({
    store: async () => {
      throw new Error('the database is away');
    },
  });
  const answer = await receiver.post(payload);
  expect(answer.status).toBe(503);
  expect(receiver.lines.join('')).toContain('the database is away');
});

test('promise 24: a signed payload that GitHub does not describe gets 400, and the reason is logged', async () => {
  await using receiver = await startReceiver({ store: async () => void z.object({ action: z.string() }).parse({}) });
  const answer = await receiver.post(payload);
  expect(answer.status).toBe(400);
  expect(receiver.lines.join('')).toContain('expected string');
});

test('other paths are left to the next handler', async () => {
  await using receiver = await startReceiver();
  expect((await fetch(`http://127.0.0.1:${receiver.port}/livez`)).status).toBe(404);
  const answer = await fetch(`http://127.0.0.1:${receiver.port}${webhookPath}/?a=b`, {
    method: 'POST',
    headers: headersOf(payload),
    body: payload,
  });
  expect(answer.status).toBe(202);
});
