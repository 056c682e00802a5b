import { randomBytes } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { eventually } from '../../../harness/eventually.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { parseAllowedHosts } from '../../../src/config/urls.ts';
import { createId } from '../../../src/create-id.ts';
import { cancelJob } from '../../../src/jobs/cancel-job.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { maxWebhooks } from '../../../src/outbound/webhooks.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { problemShape, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const webhookShape = z.strictObject({
  id: z.string().regex(/^whk_[0-9a-z]{26}$/),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(['enabled', 'disabled']),
  disabledReason: z.string().nullable(),
  failingSince: z.string().nullable(),
  previousSecretUntil: z.string().nullable(),
  createdAt: z.iso.datetime({ precision: 3 }),
});
const secretShape = webhookShape.extend({ secret: z.string().regex(/^whsec_[\w+/]{43}=$/) });
const pageShape = z.strictObject({ webhooks: z.array(webhookShape), nextCursor: z.string().nullable() });

const deliveryShape = z.looseObject({ id: z.string() });
const deliveriesShape = z.object({ deliveries: z.array(deliveryShape) });

let project: { projectId: string; key: string };

const secretsKey = { kind: 'set', keys: [randomBytes(32)] } as const;
const resolve = async () => [{ address: '8.8.8.8', family: 4 }];

const outbound = createOutbound({ secretsKey, resolve, webhookAllowedHosts: parseAllowedHosts('127.0.0.1') ?? [] });
const { db, api } = await openApi({ outbound });
project = await createProject(db.database);

const call = (method: string, path: string, body?: unknown, { projectId, key } = project) =>
  api.call(method, `/v2/agent/${projectId}/webhook${path}`, { key, ...(body !== undefined && { body }) });

async function create(url = 'https://hooks.example.com/a', more: object = {}, of = project) {
  const { status, body, headers } = await call('POST', '', { url, ...more }, of);
  expect(status).toBe(201);
  const webhook = secretShape.parse(body);
  expect(headers.get('location')).toBe(`/v2/agent/${of.projectId}/webhook/${webhook.id}`);
  return webhook;
}

test('promise 29: the secret is shown once', async () => {
  const { secret, ...webhook } = await create();
  expect(webhook).toMatchObject({
    url: 'https://hooks.example.com/a',
    state: 'enabled',
    events: ['job.completed', 'job.failed', 'job.archived', 'message.answered'],
  });
  expect((await call('GET', `/${webhook.id}`)).body).toEqual(webhook);
  for (const path of ['', `/${webhook.id}`, `/${webhook.id}/deliveries`])
    expect((await call('GET', path)).text).not.toContain(secret.slice('whsec_'.length));
  expect(api.lines.join('')).not.toContain(secret);
});

describe('promise 29: a webhook is refused', () => {
  test.each<[string, object, string, string]>([
    ['without a URL', {}, '#/url', 'is required'],
    ['to plain http', { url: 'http://hooks.example.com/' }, '#/url', 'must begin with https://'],
    ['to this machine', { url: 'https://localhost:3000/' }, '#/url', 'must not lead to a private'],
    ['to metadata', { url: 'https://169.254.169.254/' }, '#/url', 'must not lead to a private'],
    [
      'with an unknown event',
      { url: 'https://a.example', events: ['job.created'] },
      '#/events/0',
      'one or more of: job.comp',
    ],
    ['with no event', { url: 'https://a.example', events: [] }, '#/events', 'must be a list of one or more'],
    ['with an unknown field', { url: 'https://a.example', event: [] }, '#/event', 'did you mean `events`'],
  ])('%s', async (_why, body, pointer, detail) => {
    const answer = await call('POST', '', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ pointer, detail: expect.stringContaining(detail) }] });
  });

  test('to a name that leads inside', async () => {
    const inside = createOutbound({
      secretsKey,
      webhookAllowedHosts: [],
      resolve: async () => [{ address: '10.1.2.3', family: 4 }],
    });
    await using other = await startApi({ store: db.store, outbound: inside });
    const path = `/v2/agent/${project.projectId}/webhook`;
    const answer = await other.call('POST', path, { key: project.key, body: { url: 'https://intranet.example' } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('must not lead to a private')]);
  });

  test('by a service without a key for secrets', async () => {
    const unset = createOutbound({ secretsKey: { kind: 'missing' }, webhookAllowedHosts: [], resolve });
    await using other = await startApi({ store: db.store, outbound: unset });
    const path = `/v2/agent/${project.projectId}/webhook`;
    const answer = await other.call('POST', path, { key: project.key, body: { url: 'https://a.example' } });
    expect(answer.status).toBe(409);
    expect(problemShape.parse(answer.body)).toMatchObject({ type: 'urn:pagewright:problem:webhooks-not-configured' });
    expect(other.lines.join('')).toContain('SECRETS_KEY is not set');
  });
});

test('webhooks are listed in pages, the newest first', async () => {
  const other = await createProject(db.database, { repositoryId: 2 });
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push((await create(undefined, {}, other)).id);
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = pageShape.parse((await call('GET', `?limit=2${query}`, undefined, other)).body);
    expect(page.webhooks.length).toBeLessThanOrEqual(2);
    listed.push(...page.webhooks.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(listed).toEqual(made.toReversed());
  expect((await call('GET', '?limit=0', undefined, other)).status).toBe(400);
});

test('a project has a limited number of webhooks', async () => {
  const other = await createProject(db.database, { repositoryId: 3 });
  const { secret: _secret, ...first } = await create(undefined, {}, other);
  const row = await db.database
    .selectFrom('webhooks')
    .selectAll()
    .where('webhook_id', '=', first.id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: maxWebhooks - 1 }, () => ({
    ...row,
    events: JSON.stringify(row.events),
    webhook_id: createId('whk'),
  }));
  await db.database.insertInto('webhooks').values(copies).execute();
  const answer = await call('POST', '', { url: 'https://a.example' }, other);
  expect(problemShape.parse(answer.body)).toMatchObject({ type: 'urn:pagewright:problem:too-many-webhooks' });
  expect((await call('DELETE', `/${first.id}`, undefined, other)).status).toBe(204);
  const raced = await Promise.all([1, 2, 3].map(() => call('POST', '', { url: 'https://a.example' }, other)));
  expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test('a test is sent signed, at once, and listed', async () => {
  await using receiver = await startReceiver();
  const { id, secret } = await create(receiver.url);
  const answer = await call('POST', `/${id}/test`);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { type: 'webhook.test', state: 'delivered', responseStatus: 204, error: null, jobId: null, tries: 1 },
  ]);
  const [post] = receiver.posts;
  if (!post) throw new Error('nothing was sent');
  const verified = new Verifier(secret).verify(post.body, post.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'webhook.test', data: { webhook: { id, url: receiver.url } } });
  expect((await call('GET', `/${id}/deliveries`)).body).toEqual({ deliveries: [answer.body], nextCursor: null });
});

test('a successful test switches a webhook on again', async () => {
  let status = 500;
  await using receiver = await startReceiver({ answer: () => ({ status }) });
  const { id } = await create(receiver.url);
  const off = { disabled_at: new Date(), disabled_reason: 'It answered 410 Gone.', failing_since: new Date() };
  await db.database.updateTable('webhooks').set(off).where('webhook_id', '=', id).execute();
  expect((await call('POST', `/${id}/test`)).body).toMatchObject({ state: 'failed', error: 'it answered 500' });
  expect((await call('GET', `/${id}`)).body).toMatchObject({ state: 'disabled', disabledReason: off.disabled_reason });
  status = 200;
  await call('POST', `/${id}/test`);
  expect((await call('GET', `/${id}`)).body).toMatchObject({
    state: 'enabled',
    disabledReason: null,
    failingSince: null,
  });
});

test('promise 29: a delivery that was given up is sent again with the same id, and waits once', async () => {
  await using receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const { job_id: jobId } = await acceptJob(db.store, project.projectId);
  await cancelJob(db.store, jobId);
  const list = async () => deliveriesShape.parse((await call('GET', `/${id}/deliveries`)).body).deliveries;
  const [delivery] = await list();
  const over = { state: 'failed', tries: 9, finished_at: new Date(), error: 'it answered 500' } as const;
  await db.database.updateTable('webhook_deliveries').set(over).where('webhook_id', '=', id).execute();
  const again = () => call('POST', `/${id}/deliveries/${delivery?.id}/redeliver`);
  const [first, second] = [await again(), await again()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.body).toMatchObject({ id: delivery?.id, state: 'waiting', tries: 0 });
  expect(second.body).toEqual(first.body);

  const off = { disabled_at: new Date(), disabled_reason: 'It answered 410 Gone.' };
  await db.database.updateTable('webhooks').set(off).where('webhook_id', '=', id).execute();
  const refused = await again();
  expect([refused.status, problemShape.parse(refused.body).type]).toEqual([
    409,
    'urn:pagewright:problem:webhook-disabled',
  ]);
  const { body: sent } = await call('POST', `/${id}/test`);
  expect((await call('POST', `/${id}/deliveries/${deliveryShape.parse(sent).id}/redeliver`)).status).toBe(400);
  const unknown = createId('whd');
  expect((await call('POST', `/${id}/deliveries/${unknown}/redeliver`)).status).toBe(404);
  expect((await call('POST', `/${createId('whk')}/deliveries/${delivery?.id}/redeliver`)).status).toBe(404);
});

test('one test of a webhook runs at a time', async () => {
  const receiver = await startReceiver({ answer: () => 'hang' });
  const { id } = await create(receiver.url);
  const first = call('POST', `/${id}/test`);
  await eventually(async () => receiver.posts.length > 0 || undefined);
  const second = await call('POST', `/${id}/test`);
  expect(problemShape.parse(second.body)).toMatchObject({ type: 'urn:pagewright:problem:webhook-test-running' });
  expect(second.headers.get('retry-after')).toBe('10');
  await receiver[Symbol.asyncDispose]();
  expect((await first).body).toMatchObject({ state: 'failed', error: 'the connection failed (ECONNRESET)' });
  expect((await call('POST', `/${id}/test`)).status).toBe(200);
});

test('promise 29: a rotation shows a new secret, and the one before stays valid for a day', async () => {
  await using receiver = await startReceiver();
  const { id, secret } = await create(receiver.url);
  const rotated = secretShape.parse((await call('POST', `/${id}/rotate`)).body);
  expect(rotated.secret).not.toBe(secret);
  expect(Date.parse(rotated.previousSecretUntil ?? '') - Date.now()).toBeGreaterThan(23.9 * 3600_000);
  await call('POST', `/${id}/test`);
  const [post] = receiver.posts;
  if (!post) throw new Error('nothing was sent');
  expect(post.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const valid of [secret, rotated.secret])
    new Verifier(valid).verify(post.body, post.headers as Record<string, string>);
});

test('a removed webhook is gone', async () => {
  const { id } = await create();
  expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 204, text: '' });
  for (const [method, path] of [
    ['DELETE', ''],
    ['GET', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/rotate'],
  ] as const)
    expect((await call(method, `/${id}${path}`)).status).toBe(404);
  expect(pageShape.parse((await call('GET', '')).body).webhooks.map((webhook) => webhook.id)).not.toContain(id);
});
