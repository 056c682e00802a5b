import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../harness/caller.ts';
import { eventually } from '../harness/eventually.ts';
import { edit, finish, perRun } from '../harness/script-steps.ts';
import { toUrl } from '../harness/world.ts';
import { steps } from '../local/model/script.ts';
import { startModelServer } from '../local/model/start-model-server.ts';
import { createFindInstalledRepository } from '../src/cli/find-installed-repository.ts';
import { parseConfig } from '../src/config/config.ts';
import { createGitHubApp } from '../src/github/auth/app.ts';
import { createKey } from '../src/keys/project-keys.ts';
import { createSilentLog } from '../src/log.ts';
import { startService } from '../src/service.ts';
import { createRedactor } from '../src/text/redact.ts';
import type { Answered } from './emulate/create-proxy.ts';
import { appId, startEmulatedGitHub, webhookSecret } from './emulate/start-emulated-github.ts';
import { createTestDatabase } from './support/databases/database.ts';
import { readRuns } from './support/worlds/scenario.ts';

const firstRun = steps([
  edit('limits.md', '60 requests', '100 requests'),
  finish('The limit is 100 now.', { title: 'Correct the limit' }),
]);
const secondRun = steps([edit('limits.md', '100 requests', '120 requests'), finish('It is 120 now.')]);
const docs = '/repos/acme/docs';
const { signal } = new AbortController();

test('an emulator of GitHub that others wrote agrees: a pull request, a comment that is answered, a mention on an issue, a merge that archives', async () => {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-emulate-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const files = { 'limits.md': '# Limits\n\n60 requests per minute.\n' };
  const github = cleanup.use(await startEmulatedGitHub({ directory: join(directory, 'github'), files }));
  const database = cleanup.use(await createTestDatabase());
  const apiKey = 'sk-model-key-of-emulate';
  const model = cleanup.use(await startModelServer({ script: perRun([firstRun, secondRun]), apiKey }));

  const { apiUrl, webUrl, privateKey } = github;
  const app = createGitHubApp({ appId: String(appId), privateKey, apiUrl, webUrl });
  const key = await createKey({
    database: database.database,
    owner: 'acme',
    repo: 'docs',
    name: 'ci',
    expiresAt: null,
    findInstalledRepository: createFindInstalledRepository({ github: app, appId: String(appId), signal }),
  });
  if (!key) throw new Error('the App is not installed');
  const config = parseConfig({
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(database.connection),
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_API_URL: apiUrl,
    GITHUB_URL: webUrl,
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'gpt-test',
  });
  const log = createSilentLog();
  const service = cleanup.use(await startService({ config, log, redactor: createRedactor([privateKey]) }));
  github.setWebhook(`${service.url}/api/github/webhooks`);
  const caller = createCaller({ url: service.url, project: key });

  // What GitHub calls write, emulate calls push, which nobody may prompt with.
  await github.as('acme', 'PUT', `${docs}/collaborators/rita`, { permission: 'admin' });
  const { id } = await caller.create('Make it 100.');
  const { source } = await caller.settled(id);
  const [opened] = listSchema.parse(await github.as('rita', 'GET', `${docs}/pulls`));
  expect(opened).toMatchObject({
    number: 1,
    title: 'Correct the limit',
    user: { login: 'pagewright-test[bot]', type: 'Bot' },
    head: { ref: source.ref },
    base: { ref: 'main' },
  });

  await github.as('rita', 'POST', `${docs}/issues/1/comments`, { body: 'Better make it 120.' });
  const [, second] = await eventually(async () => {
    const { runs } = await readRuns(caller, id);
    return runs[1]?.status === 'ended' ? runs : undefined;
  });
  expect(second).toMatchObject({ code: 'published', messages: [{ author: 'rita', prompt: 'Better make it 120.' }] });
  expect(await github.git('show', `${source.ref}:limits.md`)).toContain('120 requests');
  const comments = listSchema.parse(await github.as('rita', 'GET', `${docs}/issues/1/comments`));
  expect(comments.map(({ user, body }) => `${user.login}: ${body}`)).toEqual([
    'rita: Better make it 120.',
    `pagewright-test[bot]: It is 120 now.\n\nCommit: ${webUrl}/acme/docs/commit/${second?.commit}\n\n<!-- pagewright:${second?.id}:comment -->`,
  ]);

  // On an issue, somebody else's idea of issues and of their comments.
  await github.as('rita', 'POST', `${docs}/issues`, { title: 'The limit is wrong', body: 'It is 100.' });
  await github.as('rita', 'POST', `${docs}/issues/2/comments`, { body: '@pagewright-test please correct it' });
  const onIssue = await eventually(async () => {
    const said = listSchema.parse(await github.as('rita', 'GET', `${docs}/issues/2/comments`));
    return said.length > 1 ? said : undefined;
  });
  expect(onIssue.map(({ user }) => user.login)).toEqual(['rita', 'pagewright-test[bot]']);
  expect(onIssue[1]?.body).toContain('/acme/docs/pull/3.');
  const resolving = z.looseObject({ body: z.string() }).parse(await github.as('rita', 'GET', `${docs}/pulls/3`));
  expect(resolving.body).toContain('Resolves #2');

  await github.as('rita', 'PUT', `${docs}/pulls/1/merge`, { merge_method: 'merge' });
  expect(await caller.until(id, ({ status }) => status === 'archived')).toMatchObject({ status: 'archived' });
  // As emulate sent and signed it.
  expect(github.delivered.at(-1)).toEqual({ event: 'pull_request', isUntouched: true, status: 202 });
  // All that the proxy answered itself.
  expect([
    'DELETE /installation/token',
    'GET /acme/docs.git/info/refs',
    'GET /app/hook/deliveries',
    'GET /installation/repositories',
    'GET /repos/acme/docs/rules/branches/…',
    'POST /acme/docs.git/git-receive-pack',
    'POST /acme/docs.git/git-upload-pack',
    'POST /repos/acme/docs/issues/comments/…/reactions',
  ]).toEqual(expect.arrayContaining(listWhat(github.answered, 'proxy')));
  // What had to be emulate's own.
  expect(listWhat(github.answered, 'emulate')).toEqual(
    expect.arrayContaining([
      'GET /app',
      'GET /repos/acme/docs/collaborators/rita/permission',
      'PATCH /repos/acme/docs/pulls/1',
      'POST /app/installations/100/access_tokens',
      'POST /repos/acme/docs/issues/1/comments',
      'POST /repos/acme/docs/pulls',
    ]),
  );
});

const listWhat = (answered: readonly Answered[], wanted: Answered['by']) =>
  [
    ...new Set(
      answered
        .filter(({ by }) => by === wanted)
        .map(({ what }) =>
          what.replace(/branches\/.*/, 'branches/…').replace(/comments\/\d+\/reactions/, 'comments/…/reactions'),
        ),
    ),
  ].toSorted();

const listSchema = z.array(z.looseObject({ user: z.looseObject({ login: z.string() }), body: z.string().nullable() }));
