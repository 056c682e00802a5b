import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { createSilentLog } from '../../../src/log.ts';
import { createDatabase } from '../../../src/store/postgres/database.ts';
import { problemShape, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

let isOpen = true;

const { db, api } = await openApi({ isOpen: () => isOpen });
const project = await createProject(db.database);
const key = project.key;
const path = `/v2/agent/${project.projectId}/job`;

const countJobs = async () => (await db.database.selectFrom('jobs').select('job_id').execute()).length;
const logged = (requestId: string | null, lines: string[]) =>
  lines.filter((line) => requestId && line.includes(requestId));

describe('an unknown path or method', () => {
  test.each(['/', '/v2', '/v2/agent', '/v3/agent/x/job', '/v2/agent/x/jobs', '/favicon.ico', '/v2/agent/x/job/y/z'])(
    'GET %s: 404',
    async (where) => {
      const answer = await api.call('GET', where);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      problemShape.parse(answer.body);
    },
  );

  test('a browser gets a page, a program a problem', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await api.call('GET', '/favorites', { headers: { accept } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const other of ['*/*', 'application/json', 'application/json, text/html'])
      problemShape.parse((await api.call('GET', '/favorites', { headers: { accept: other } })).body);
    problemShape.parse((await api.call('POST', '/favorites', { headers: { accept } })).body);
  });

  test.each([
    ['PUT', '/v2/agent/x/job', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/v2/agent/x/job/y', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v2/agent/x/job/y/message', 'POST, OPTIONS'],
    ['GET', '/v2/agent/x/job/y/cancel', 'POST, OPTIONS'],
    ['PATCH', '/v2/agent/x/job/y/archive', 'POST, OPTIONS'],
    ['GET', '/v2/agent/x/job/y/unarchive', 'POST, OPTIONS'],
    ['POST', '/v2/agent/x/job/y/runs', 'GET, HEAD, OPTIONS'],
    ['POST', '/v2/agent/x/job/y/messages', 'GET, HEAD, OPTIONS'],
    ['POST', '/v2/agent/x/job/y/runs/z/turns', 'GET, HEAD, OPTIONS'],
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
    ['POST', '/readyz', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/pagewright.schema.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
  ])('%s %s: 405, with the same Allow as OPTIONS', async (method, where, allow) => {
    const answer = await api.call(method, where);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    problemShape.parse(answer.body);
    const options = await api.call('OPTIONS', where);
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, allow, '']);
  });

  test('a path with broken percent-encoding: 400', async () => {
    const answer = await api.call('GET', '/v2/agent/%ff/job/x', { key });
    expect(answer.status).toBe(400);
    problemShape.parse(answer.body);
  });
});

describe('every answer', () => {
  test('has a new request id, not the caller’s, and does not mention express', async () => {
    const answer = await api.call('GET', '/livez', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.has('x-powered-by')).toBe(false);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('with a problem has the request id of the log', async () => {
    const answer = await api.call('GET', '/nothing');
    const requestId = answer.headers.get('x-request-id');
    expect(problemShape.parse(answer.body).instance).toBe(`urn:uuid:${requestId}`);
    expect(logged(requestId, api.lines)).toHaveLength(1);
  });

  test('HEAD is GET without the body', async () => {
    const answer = await api.call('HEAD', '/livez');
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('probes', () => {
  test('the process lives and is ready', async () => {
    expect((await api.call('GET', '/livez')).status).toBe(200);
    const ready = await api.call('GET', '/readyz');
    expect([ready.status, ready.body]).toEqual([
      200,
      { status: 'ok', checks: { database: true, running: true }, degraded: [] },
    ]);
  });

  test('a process that starts or stops is alive but not ready', async () => {
    isOpen = false;
    const ready = await api.call('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(problemShape.parse(ready.body)).toMatchObject({
      detail: 'The service is not ready: it is starting or stopping.',
      checks: { database: true, running: false },
    });
    expect((await api.call('GET', '/livez')).status).toBe(200);
    isOpen = true;
  });

  test('a worker has probes and nothing else', async () => {
    await using worker = await startApi({ store: db.store, role: 'worker' });
    expect((await worker.call('GET', '/readyz')).status).toBe(200);
    expect((await worker.call('POST', path, { key, body: { prompt: 'x' } })).status).toBe(404);
    for (const path of ['/openapi.json', '/pagewright.schema.json'])
      expect((await worker.call('GET', path)).status).toBe(404);
  });
});

describe('promise 17: without the database', () => {
  const post = () => api.call('POST', path, { key, body: { prompt: 'x' } });
  const expectUnavailable = ({ status, headers, body }: Awaited<ReturnType<typeof post>>) => {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    problemShape.parse(body);
  };

  test('requests answer 503 at once, and are accepted again when it is back', async () => {
    const before = await countJobs();
    await db.setReachable(false);
    const startedAt = performance.now();
    expectUnavailable(await post());
    expectUnavailable(await api.call('GET', '/readyz'));
    expect((await api.call('GET', '/livez')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await db.setReachable(true);
    expect((await post()).status).toBe(201);
    expect(await countJobs()).toBe(before + 1);
  });

  test('a read-only server counts as unavailable until new connections can write', async () => {
    const before = await countJobs();
    await db.setWritable(false);
    expectUnavailable(await post());
    expectUnavailable(await api.call('GET', '/readyz'));
    expectUnavailable(await api.call('GET', '/readyz'));
    await db.setWritable(true);
    expect((await post()).status).toBe(201);
    expect((await api.call('GET', '/readyz')).status).toBe(200);
    expect(await countJobs()).toBe(before + 1);
  });

  test('a server that does not answer delays callers by about two seconds at most', async () => {
    await using silence = await listenSilently();
    const log = createSilentLog();
    const connection = { host: '127.0.0.1', port: silence.port, user: 'x', database: 'x' };
    const database = createDatabase({ connection, log });
    await using silentApi = await startApi({ store: { database, queue: db.store.queue } });
    const startedAt = performance.now();
    const [answer, ready] = await Promise.all([
      silentApi.call('POST', path, { key, body: { prompt: 'x' } }),
      silentApi.call('GET', '/readyz'),
    ]);
    expectUnavailable(answer);
    expectUnavailable(ready);
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    expect((await silentApi.call('GET', '/livez')).status).toBe(200);
  });

  test('promise 2: a connection that is lost before the commit answers 503 and leaves no row', async () => {
    const before = await countJobs();
    const store = {
      ...db.store,
      queue: {
        ...db.store.queue,
        sendWakeUp: async (tx: Parameters<typeof db.store.queue.sendWakeUp>[0]) => {
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        },
      },
    };
    await using unlucky = await startApi({ store });
    expectUnavailable(await unlucky.call('POST', path, { key, body: { prompt: 'x' } }));
    expect(await countJobs()).toBe(before);
  });
});

test('an unexpected error shows its id but not its message; the log has the whole chain', async () => {
  const before = await countJobs();
  const sendWakeUp = () =>
    Promise.reject(new Error('could not wake anybody', { cause: new Error('the reason inside') }));
  await using broken = await startApi({ store: { ...db.store, queue: { ...db.store.queue, sendWakeUp } } });
  const answer = await broken.call('POST', path, { key, body: { prompt: 'x' } });
  expect(answer.status).toBe(500);
  expect(problemShape.parse(answer.body).type).toBe('urn:pagewright:problem:internal');
  expect(answer.text).not.toMatch(/wake|reason/);
  expect(answer.headers.has('location')).toBe(false);
  const lines = logged(answer.headers.get('x-request-id'), broken.lines).join('');
  expect(lines).toContain('could not wake anybody');
  expect(lines).toContain('the reason inside');
  expect(await countJobs()).toBe(before);
});

async function listenSilently() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
