import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { type Receiver, startReceiver } from '../../../harness/start-receiver.ts';
import { toUrl } from '../../../harness/world.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { runPagewright } from '../../support/run/run-pagewright.ts';

const createdShape = z.looseObject({ webhookId: z.string(), secret: z.string().startsWith('whsec_') });

let db: TestDatabase;
let receiver: Receiver;
let status = 204;
let directory: string;

beforeAll(async () => {
  db = await createTestDatabase();
  await createProject(db.database);
  receiver = await startReceiver({ answer: () => ({ status }) });
  directory = await mkdtemp(join(tmpdir(), 'pagewright-webhooks-'));
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
  await db[Symbol.asyncDispose]();
});

const webhooks = (args: string, more: Record<string, string> = {}) => pagewright(`webhooks ${args}`, more);

function pagewright(args: string, more: Record<string, string> = {}) {
  const environment = {
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(db.connection),
    APP_ID: '77',
    PRIVATE_KEY: inject('privateKey'),
    WEBHOOK_ALLOWED_HOSTS: receiver.host,
    ...more,
  };
  return runPagewright(args.split(' '), { environment, cwd: directory });
}

test('promise 29: an operator creates, tests, lists, rotates and removes a webhook', async () => {
  const made = await webhooks(`create acme/docs ${receiver.url} --events job.failed --json`);
  expect([made.code, made.stderr]).toEqual([0, '']);
  const { webhookId, secret } = createdShape.parse(JSON.parse(made.stdout));
  expect((await stat(join(directory, 'data', 'secrets.key'))).mode & 0o777).toBe(0o600);

  expect(await webhooks(`test acme/docs ${webhookId}`)).toEqual({ code: 0, stdout: 'delivered: 204\n', stderr: '' });
  const [post] = receiver.posts;
  if (!post) throw new Error('nothing was sent');
  new Verifier(secret).verify(post.body, post.headers as Record<string, string>);

  status = 500;
  const failed = await webhooks(`test acme/docs ${webhookId}`);
  expect(failed).toMatchObject({
    code: 1,
    stderr: `webhooks: ${receiver.url} did not accept the test: it answered 500\n`,
  });
  const listed = await webhooks('list acme/docs');
  expect(listed.stdout).toMatch(
    new RegExp(`^WEBHOOK ID .*\\n${webhookId} +${receiver.url} +job.failed +enabled +\\d{4}-`),
  );

  expect((await webhooks(`rotate acme/docs ${webhookId}`)).stdout).toMatch(/^secret {3}whsec_/m);
  expect(await webhooks(`remove acme/docs ${webhookId}`)).toMatchObject({ code: 0, stdout: `removed ${webhookId}\n` });
  const gone = await webhooks(`remove acme/docs ${webhookId}`);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist in this repository') });
});

test.each([
  ['create acme/docs https://10.0.0.1/', {}, 1, 'webhooks: the URL must not lead to a private'],
  ['create acme/other https://a.example/', {}, 1, 'acme/other is not a project'],
  ['create acme/docs https://8.8.8.8/', { ROLE: 'web' }, 1, 'SECRETS_KEY is not set'],
  ['create acme/docs', {}, 2, '(see: pagewright webhooks create --help)'],
])('%s with %o says what is wrong in one line', async (args, environment, code, line) => {
  const ended = await webhooks(args, environment);
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(line) });
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('promise 29: an operator rotates SECRETS_KEY, and callers notice nothing', async () => {
  const [old, next, stranger] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const made = await webhooks(`create acme/docs ${receiver.url} --json`, { SECRETS_KEY: `${old}` });
  const { webhookId, secret } = createdShape.parse(JSON.parse(made.stdout));
  const { secret: second } = createdShape.parse(
    JSON.parse((await webhooks(`rotate acme/docs ${webhookId} --json`, { SECRETS_KEY: `${next},${old}` })).stdout),
  );

  // The key in use cannot be opened with another one alone.
  const lost = await pagewright('rotate-secrets-key --json', { SECRETS_KEY: `${stranger}` });
  expect([lost.code, JSON.parse(lost.stdout)]).toEqual([1, expect.objectContaining({ renewed: 0, lost: [webhookId] })]);
  const rotated = await pagewright('rotate-secrets-key', { SECRETS_KEY: `${next},${old}` });
  expect(rotated).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^encrypted .* of 1 of 1 webhooks/),
  });
  const again = await pagewright('rotate-secrets-key --json', { SECRETS_KEY: `${next},${old}` });
  expect(JSON.parse(again.stdout)).toEqual({ webhooks: 1, renewed: 0, lost: [] });

  status = 204;
  receiver.posts.length = 0;
  const tested = await webhooks(`test acme/docs ${webhookId}`, { SECRETS_KEY: `${next}` });
  expect(tested).toEqual({ code: 0, stdout: 'delivered: 204\n', stderr: '' });
  const [post] = receiver.posts;
  if (!post) throw new Error('nothing was sent');
  // Both secrets sign for a day, the one from before the rotation too.
  for (const valid of [secret, second]) new Verifier(valid).verify(post.body, post.headers as Record<string, string>);
  expect(await webhooks(`test acme/docs ${webhookId}`, { SECRETS_KEY: `${old}` })).toMatchObject({ code: 1 });
});
