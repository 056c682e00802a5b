// What the doctor says of servers and proxies that do not behave: each is a real server, but for GitHub's answers.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createUserAuthorization } from '../../src/github/auth/user-authorization.ts';
import { AppKeyRefused, GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { createDatabaseCheck } from '../../src/health/check-database.ts';
import {
  createAppCheck,
  createInstallationsCheck,
  createPermissionsCheck,
  createSignInCheck,
  createWebhooksCheck,
} from '../../src/health/check-github.ts';
import { createFolderCheck } from '../../src/health/check-machine.ts';
import { createModelCheck, describeManner } from '../../src/health/check-model.ts';
import { createOutboundCheck, createPublicUrlCheck } from '../../src/health/check-network.ts';
import { examine } from '../../src/health/examine.ts';
import { findPostgresPrograms } from '../../src/store/embedded/programs.ts';
import { noRedaction } from '../../src/text/redact.ts';
import {
  callDelta,
  chatMessage,
  chatText,
  completed,
  end,
  functionCall,
  refusal,
  wholeCall,
} from '../agent/model/servers/answers.ts';
import { type Answer, startDialectServer } from '../agent/model/servers/dialect-server.ts';

const { signal } = new AbortController();

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** What the doctor says of a model server that lists no models, and what it was asked. */
async function askModel(answer: Answer, api: 'responses' | 'chat' = 'chat') {
  await using server = await startDialectServer((asked) =>
    asked.url === '/v1/models' ? { status: 404, json: {} } : answer(asked),
  );
  const openai = { apiKey: 'sk-secret', baseUrl: server.url, api, models: ['gpt'] as [string], contextTokens: 1 };
  const found = await createModelCheck(
    { ...openai, reasoningEffort: null, images: false },
    { isOperatorAsking: true },
  ).find(signal);
  expect(JSON.stringify(found)).not.toContain('sk-secret');
  return { found, asked: server.asked.filter(({ url }) => url !== '/v1/models') };
}

const confirmCall = { ...wholeCall, function: { name: 'confirm', arguments: '{"ready":true}' } };
const confirmed = { events: [callDelta({ index: 0, ...confirmCall }), end()] };

test('the doctor asks a model one question with a tool, by the API that the service uses', async () => {
  const output = [functionCall({ name: 'confirm', arguments: '{"ready":true}' })];
  const usage = { input_tokens: 9, output_tokens: 1 };
  const responses = await askModel(() => ({ events: [completed(output, { usage })] }), 'responses');
  expect(responses.asked).toMatchObject([
    { url: '/v1/responses', body: { model: 'gpt', tools: [{ name: 'confirm' }] } },
  ]);
  expect(responses.found).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^gpt calls tools at http.+\/v1; it streams; it counts tokens$/),
  });
  const chat = await askModel(() => confirmed);
  expect(chat.asked).toMatchObject([{ url: '/v1/chat/completions', body: { model: 'gpt' } }]);
  expect(chat.found).toMatchObject({ state: 'ok', detail: expect.stringContaining('it does not count tokens') });
});

test.each<{ name: string; answer: Answer; state: string; says: string }>([
  {
    name: 'refuses a field',
    answer: ({ body }) => ('stream_options' in body ? refusal('stream_options is not supported') : confirmed),
    state: 'ok',
    says: 'it refuses stream_options, which Pagewright leaves out',
  },
  {
    name: 'answers with JSON',
    answer: () => ({ json: chatMessage({ tool_calls: [confirmCall] }) }),
    state: 'ok',
    says: 'it does not stream',
  },
  {
    name: 'writes its calls as text',
    answer: () => chatText('<tool_call>{"name": "confirm", "arguments": {"ready": true}}</tool_call>'),
    state: 'broken',
    says: 'writes its tool calls as text',
  },
  { name: 'calls no tool', answer: () => chatText('Yes.'), state: 'warning', says: 'did not call the tool' },
  {
    name: 'refuses tools',
    answer: () => refusal('gpt does not support tools', { param: 'tools' }),
    state: 'broken',
    says: 'refuses tools for gpt: “gpt does not support tools”',
  },
  {
    name: 'refuses the key',
    answer: () => ({ status: 401, json: { error: { message: 'Incorrect API key provided: sk-secret' } } }),
    state: 'broken',
    says: 'refuses OPENAI_API_KEY: “Incorrect API key provided: [secret]”',
  },
  {
    name: 'has no such route',
    answer: () => ({ status: 404, json: { detail: 'Not Found' } }),
    state: 'broken',
    says: 'refuses requests to gpt by chat/completions: “Not Found”',
  },
  {
    name: 'fails',
    answer: () => ({ status: 500, json: {} }),
    state: 'broken',
    says: 'no usable answer: it answered 500',
  },
])('of a model server that $name, the doctor says so', async ({ answer, state, says }) => {
  const { found } = await askModel(answer);
  expect(found).toMatchObject({ state, detail: expect.stringContaining(says) });
});

test.each([
  ['over some time', { firstMs: 2_000, wholeMs: 9_000 }, 'it streams'],
  ['at once, after a moment', { firstMs: 900, wholeMs: 901 }, 'it streams'],
  ['at once, after a long time', { firstMs: 9_000, wholeMs: 9_010 }, 'may hold streams back'],
])('a stream is judged by its first and last event: those that arrive %s', (_, times, says) => {
  expect(describeManner({ isStream: true, isCounted: true, ...times }, [])).toContain(says);
});

test('a model server that does not answer is broken for the operator, and unknown for the service', async () => {
  const openai = { apiKey: 'sk-secret', baseUrl: 'http://127.0.0.1:1/v1', api: 'chat' as const, contextTokens: 1 };
  const settings = { ...openai, models: ['gpt'] as [string], reasoningEffort: null, images: false };
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
  ['sends another host', { host: 'inside:3000' }, 'broken', 'the proxy sends the host inside:3000'],
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
    { sent: [{ isSuccess: false, status: 404 }] },
    'broken',
    'the last webhook failed: status 404',
  ],
  [
    'the last one had another secret',
    { sent: [{ isSuccess: false, status: 401 }] },
    'broken',
    'not signed with its webhook secret',
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

test('without DATABASE_URL and an installed PostgreSQL, the database is broken', async () => {
  const missing = findPostgresPrograms({ platform: 'none', arch: 'none' });
  const found = await createDatabaseCheck(() => missing.then(() => Promise.reject())).find(signal);
  expect(found).toMatchObject({ state: 'broken', todo: expect.stringMatching(/^Set DATABASE_URL, or install/) });
});

const down = (code: string) => () =>
  Promise.reject(new GitHubUnavailable('no usable answer', { cause: caused(code, '') }));
const refused = () => Promise.reject(new AppKeyRefused('could not read the App: GitHub answered 404'));

test.each([
  ['does not answer', down('ECONNREFUSED'), 'GitHub does not answer (nothing listens there, ECONNREFUSED)', 'port'],
  ['answers nothing', down('UND_ERR_SOCKET'), 'GitHub does not answer (UND_ERR_SOCKET)', 'GITHUB_API_URL'],
  ['is not trusted', down('SELF_SIGNED_CERT_IN_CHAIN'), 'this machine does not trust', 'NODE_EXTRA_CA_CERTS'],
  ['has an old certificate', down('CERT_HAS_EXPIRED'), 'has expired', 'Renew'],
  ['has another name', down('ERR_TLS_CERT_ALTNAME_INVALID'), 'another name', 'the name that is in the certificate'],
  ['is not known', down('ENOTFOUND'), 'its name is not known', 'DNS'],
  ['does not know the App', refused, 'GitHub refuses the App’s key', 'Check APP_ID'],
])('while GitHub %s, the operator reads it once', async (_name, readApp, detail, todo) => {
  const checks = [createAppCheck({ readApp }, { isOperatorAsking: true }), createPermissionsCheck({ readApp })];
  const [app, permissions] = await examine(checks, { signal, withinMs: 1_000 });
  expect(app).toMatchObject({ state: 'broken', detail: expect.stringContaining(detail) });
  expect(app).toMatchObject({ todo: expect.stringContaining(todo) });
  expect(permissions).toMatchObject({ state: 'warning', todo: 'Correct github_app first.' });
});

const installed = (
  account: string,
  change: { isSuspended?: boolean; permissions?: string[]; events?: string[] } = {},
) => ({
  account,
  url: `https://github.com/${account}`,
  isSuspended: change.isSuspended ?? false,
  missing: { permissions: change.permissions ?? [], events: change.events ?? [] },
});

test.each([
  ['all have what jobs need', [installed('acme')], 'ok', 'on 1 account'],
  ['there is none', [], 'warning', 'not installed anywhere'],
  ['one is suspended', [installed('acme', { isSuspended: true })], 'warning', 'on acme is suspended'],
  [
    'one has not accepted what newer features need',
    [installed('acme', { permissions: ['checks=write', 'statuses=read'], events: ['check_run'] })],
    'warning',
    'was not given checks=write, statuses=read, check_run, so these do not work yet: failing checks',
  ],
  ['one lacks an event', [installed('acme', { events: ['push'] })], 'warning', 'was not given push'],
  [
    'one of several lacks a permission',
    [installed('acme', { isSuspended: true }), installed('globex', { permissions: ['contents=write'] })],
    'broken',
    'on globex was not given contents=write, and 1 more',
  ],
])('of the installations, %s', async (_name, installations, state, detail) => {
  const app = { missing: { permissions: [], events: [] }, url: 'https://github.com/settings/apps/x/permissions' };
  const check = createInstallationsCheck({ describeInstallations: async () => ({ app, installations }) });
  expect(await check.find(signal)).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

const answerWith = (body: unknown) => async () => new Response(JSON.stringify(body));

test.each([
  ['knows the client', answerWith({ error: 'bad_verification_code' }), 'ok', 'accepts'],
  ['refuses the secret', answerWith({ error: 'incorrect_client_credentials' }), 'broken', 'nobody can sign in'],
  ['says something else', answerWith('<html>'), 'warning', 'did not say'],
])('a GitHub that %s decides whether people can sign in', async (_name, answer, state, detail) => {
  const { checkCredentials } = createUserAuthorization({
    clientId: 'Iv1',
    clientSecret: 'secret',
    apiUrl: 'https://api.github.test',
    webUrl: 'https://github.test',
    secrets: noRedaction,
    fetch: answer,
  });
  const found = await createSignInCheck(checkCredentials).find(signal);
  expect(found).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

test('without a client secret nobody can sign in, and the doctor says so', async () => {
  expect(await createSignInCheck(null).find(signal)).toMatchObject({ state: 'warning' });
});

test('a block of addresses that nothing understands is told', async () => {
  const environment = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'fd00::/8,10.0.0.0/8' };
  const found = await createOutboundCheck(environment).find(signal);
  expect(found).toMatchObject({ state: 'warning', detail: 'NO_PROXY has fd00::/8, which is ignored' });
});
