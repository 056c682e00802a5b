// What the doctor says of servers and proxies that do not behave: each is a real server, but for GitHub's answers.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { AppKeyRefused, GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { createDatabaseCheck } from '../../src/health/check-database.ts';
import { createAppCheck, createPermissionsCheck, createWebhooksCheck } from '../../src/health/check-github.ts';
import { createFolderCheck } from '../../src/health/check-machine.ts';
import { createModelCheck } from '../../src/health/check-model.ts';
import { createPublicUrlCheck } from '../../src/health/check-network.ts';
import { examine } from '../../src/health/examine.ts';

const { signal } = new AbortController();

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** A model server that lists no models, and answers a question with this status. */
async function askModel({ api, status }: { api: 'responses' | 'chat'; status: number }) {
  const asked: { url: string | undefined; body: unknown }[] = [];
  const url = await serve(async (request, response) => {
    if (request.url === '/v1/models') return void response.writeHead(404).end();
    asked.push({ url: request.url, body: JSON.parse(await text(request)) });
    response.writeHead(status).end('{"error":"sk-secret"}');
  });
  const openai = { apiKey: 'sk-secret', baseUrl: `${url}/v1`, api, models: ['gpt'] as [string], contextTokens: 1 };
  const found = await createModelCheck({ ...openai, reasoningEffort: null }, { isOperatorAsking: true }).find(signal);
  expect(JSON.stringify(found)).not.toContain('sk-secret');
  return { found, asked };
}

test('a model server that lists no models is asked for a few tokens, by the API that the service uses', async () => {
  const responses = await askModel({ api: 'responses', status: 200 });
  expect(responses.found).toMatchObject({ state: 'ok', detail: expect.stringContaining('gpt answers at') });
  expect(responses.asked).toMatchObject([{ url: '/v1/responses', body: { model: 'gpt', max_output_tokens: 16 } }]);
  const chat = await askModel({ api: 'chat', status: 200 });
  expect(chat.asked).toMatchObject([{ url: '/v1/chat/completions', body: { model: 'gpt', max_tokens: 16 } }]);
});

test.each([
  [401, 'refuses OPENAI_API_KEY with status 401'],
  [404, 'answers 404 to responses'],
  [500, 'answers 500 to responses'],
])('a model server that answers %i to a question is broken', async (status, detail) => {
  const { found } = await askModel({ api: 'responses', status });
  expect(found).toMatchObject({ state: 'broken', detail: expect.stringContaining(detail) });
});

test('a model server that does not answer is broken for the operator, and unknown for the service', async () => {
  const openai = { apiKey: 'sk-secret', baseUrl: 'http://127.0.0.1:1/v1', api: 'chat' as const, contextTokens: 1 };
  const settings = { ...openai, models: ['gpt'] as [string], reasoningEffort: null };
  expect(await createModelCheck(settings, { isOperatorAsking: true }).find(signal)).toMatchObject({
    state: 'broken',
    detail: expect.stringMatching(/^the model server at http:\/\/127\.0\.0\.1:1\/v1 does not answer \(.+\)$/),
  });
  await expect(createModelCheck(settings, { isOperatorAsking: false }).find(signal)).rejects.toThrow();
});

/** What the service answers at /livez/stream: two events, half a second apart. */
async function checkPublicUrl({
  host,
  isBuffered = false,
  status = 200,
}: {
  host?: string;
  isBuffered?: boolean;
  status?: number;
}) {
  const url = await serve(async (request, response) => {
    const first = `data: ${JSON.stringify({ host: host ?? request.headers.host, scheme: 'http' })}\n\n`;
    if (status !== 200) return void response.writeHead(status).end('<h1>Bad gateway</h1>');
    if (!isBuffered) response.write(first);
    await delay(400);
    response.end(isBuffered ? `${first}data: {}\n\n` : 'data: {}\n\n');
  });
  return createPublicUrlCheck(url).find(signal);
}

test.each([
  ['passes streams on at once', {}, 'ok', 'streams arrive at once'],
  ['holds streams back', { isBuffered: true }, 'warning', 'the proxy holds streams back'],
  ['sends another host', { host: 'inside:3000' }, 'warning', 'the proxy sends the host inside:3000'],
  ['answers by itself', { status: 502 }, 'broken', 'answers 502, but not as Pagewright'],
])('a proxy that %s', async (_name, given, state, detail) => {
  expect(await checkPublicUrl(given)).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

const publicUrl = 'https://pagewright.example.com';
type Sent = { isSuccess: boolean; status: number };

test.each<[string, { url?: string; sent: Sent[] }, string, string]>([
  ['all arrived', { sent: [{ isSuccess: true, status: 202 }] }, 'ok', '0 of the last 1 webhook failed'],
  ['none was sent', { sent: [] }, 'warning', 'GitHub has sent no webhook for a day'],
  [
    'one failed before the last',
    {
      sent: [
        { isSuccess: true, status: 202 },
        { isSuccess: false, status: 502 },
      ],
    },
    'warning',
    '1 of the last 2 webhooks failed',
  ],
  [
    'the last one failed',
    { sent: [{ isSuccess: false, status: 401 }] },
    'broken',
    'the last webhook failed: status 401',
  ],
  ['nobody answered', { sent: [{ isSuccess: false, status: 0 }] }, 'broken', 'the last webhook failed: no answer'],
  ['they go elsewhere', { url: 'https://old.example.com/hook', sent: [] }, 'broken', 'sends webhooks to https://old'],
])('of the webhooks of a day, %s', async (_name, { url, sent }, state, detail) => {
  const deliveries = sent.map((delivery, at) => ({
    attemptId: String(at),
    deliveryId: `delivery-${at}`,
    deliveredAt: new Date(),
    ...delivery,
  }));
  const check = createWebhooksCheck({
    publicUrl,
    github: {
      fetchWebhookUrl: async () => url ?? `${publicUrl}/api/github/webhooks`,
      async *listDeliveries() {
        yield { deliveries, next: undefined };
      },
    },
  });
  expect(await check.find(signal)).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

test.each([
  [99, 'broken', 'less than 100 MB'],
  [101, 'warning', '0.1 GB'],
])('a DATA_DIR with %i MB of free space is %s', async (free, state, detail) => {
  const readFree = async () => free * 1024 ** 2;
  const found = await createFolderCheck('.', readFree).find(signal);
  expect(found).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

const caused = (code: string, message: string) =>
  new Error('could not connect to the database', { cause: Object.assign(new Error(message), { code }) });

test.each([
  ['28P01', 'password authentication failed for user "pw"', 'refuses the connection', 'user and the password'],
  ['3D000', 'database "docs" does not exist', 'refuses the connection', 'Create it'],
  ['53300', 'sorry, too many clients already', 'refuses the connection', 'max_connections'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate', 'refuses the connection', 'NODE_EXTRA_CA_CERTS'],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', 'does not answer', 'Check DATABASE_URL'],
])('a database that fails with %s is broken, with what to do', async (code, message, detail, todo) => {
  const found = await createDatabaseCheck(() => Promise.reject(caused(code, message))).find(signal);
  expect(found).toMatchObject({ state: 'broken', todo: expect.stringContaining(todo) });
  expect(found.detail).toContain(detail);
  expect(found.detail).toContain(message);
});

const down = () => Promise.reject(new GitHubUnavailable('no usable answer', { cause: caused('ECONNREFUSED', '') }));
const refused = () => Promise.reject(new AppKeyRefused('could not read the App: GitHub answered 404'));

test.each([
  ['does not answer', down, 'GitHub does not answer (ECONNREFUSED)', 'GITHUB_API_URL'],
  ['does not know the App', refused, 'GitHub refuses the App’s key', 'Check APP_ID'],
])('while GitHub %s, the operator reads it once', async (_name, readApp, detail, todo) => {
  const checks = [createAppCheck({ readApp }, { isOperatorAsking: true }), createPermissionsCheck({ readApp })];
  const [app, permissions] = await examine(checks, { signal, withinMs: 1_000 });
  expect(app).toMatchObject({ state: 'broken', detail: expect.stringContaining(detail) });
  expect(app).toMatchObject({ todo: expect.stringContaining(todo) });
  expect(permissions).toMatchObject({ state: 'warning', todo: 'Correct github_app first.' });
});
