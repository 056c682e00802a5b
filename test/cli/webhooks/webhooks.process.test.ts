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
import { runPagewright } from '../run-pagewright.ts';

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

function webhooks(args: string, more: Record<string, string> = {}) {
  const environment = {
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(db.connection),
    ...{ APP_ID: '77', PRIVATE_KEY: inject('privateKey'), WEBHOOK_ALLOWED_HOSTS: receiver.host, ...more },
  };
  return runPagewright(['webhooks', ...args.split(' ')], { environment, cwd: directory });
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
    stderr: `webhooks: ${receiver.url} did not take the test: it answered 500\n`,
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
  ['create acme/other https://a.example/', {}, 1, 'acme/other is not a project yet'],
  ['create acme/docs https://8.8.8.8/', { ROLE: 'web' }, 1, 'SECRETS_KEY is not set'],
  ['create acme/docs', {}, 2, '(see: pagewright webhooks create --help)'],
])('%s with %o says what is wrong in one line', async (args, environment, code, line) => {
  const ended = await webhooks(args, environment);
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(line) });
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});
