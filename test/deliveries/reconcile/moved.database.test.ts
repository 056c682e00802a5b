import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '../../../local/github/events/webhook-delivery.ts';
import { processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { reconcileInstallations } from '../../../src/deliveries/reconcile/reconcile-installation.ts';
import { storeDelivery } from '../../../src/deliveries/store-delivery.ts';
import { giveAnswer } from '../../../src/effects/give-answer.ts';
import { findEffect } from '../../../src/store/tables/jobs/effects.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { acceptJob, makeJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const { signal } = new AbortController();
let world: World;
let parts: ReturnType<typeof createParts>;
beforeEach(async () => {
  world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  parts = createParts(world);
});
afterEach(() => world[Symbol.asyncDispose]());

/** Takes a delivery in and processes it; by what became of it. */
async function hear({ deliveryId: id, event: name, payload }: Pick<Delivery, 'deliveryId' | 'event' | 'payload'>) {
  await storeDelivery(parts, { id, name, payload });
  await processDelivery(parts, id, signal);
  const told = parts.database.selectFrom('deliveries').select(['state', 'reason']).where('delivery_id', '=', id);
  return told.executeTakeFirst();
}

/** The newest deliveries, which nobody has heard of yet, the oldest first. */
const newest = (count: number) => world.github.deliveries.log.slice(-count);
const rita = () => world.github.asPerson('rita');
const readProject = () =>
  parts.database
    .selectFrom('projects')
    .select(['owner', 'repo', 'default_branch', 'removed_at'])
    .where('repository_id', '=', world.repository.id)
    .executeTakeFirst();
const readStatus = async (jobId: string) => {
  const job = parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId);
  return (await job.executeTakeFirstOrThrow()).status;
};

test.each([
  ['its leaving', (moved: Delivery, left: Delivery) => [left, moved]],
  ['its coming', (moved: Delivery, left: Delivery) => [moved, left]],
])(
  'promise 2: a repository that moves to an account with the App keeps its jobs, though the other one uninstalls it and %s is told of first',
  async (_name, arrange) => {
    const { github } = world;
    const { job_id: jobId } = await acceptJob(parts, world.projectId);
    github.install({ account: 'globex', repositories: 'all' });
    rita().transferRepository('acme/docs', 'globex');
    github.uninstall(world.installationId);
    const [moved, left] = newest(2);
    if (!moved || !left) throw new Error('GitHub told of both');
    for (const delivery of arrange(moved, left)) expect(await hear(delivery)).toMatchObject({ state: 'done' });
    expect(await readProject()).toMatchObject({ owner: 'globex', removed_at: null });
    expect(await readStatus(jobId)).toBe('active');
  },
);

test('a repository that is taken out of the installation archives its jobs, and is back once it is added again', async () => {
  const { github, installationId } = world;
  const { job_id: jobId } = await acceptJob(parts, world.projectId);
  github.removeFromInstallation(installationId, ['docs']);
  for (const delivery of newest(1)) await hear(delivery);
  expect(await readStatus(jobId)).toBe('archived');
  expect(await readProject()).toMatchObject({ removed_at: expect.any(Date) });
  github.addToInstallation(installationId, ['docs']);
  for (const delivery of newest(1)) await hear(delivery);
  expect(await readProject()).toMatchObject({ removed_at: null });
});

test('a repository that moved to a suspended installation is followed once that is unsuspended', async () => {
  const { github } = world;
  github.addUser('globex', { type: 'Organization' });
  const installationId = github.install({ account: 'globex', repositories: 'all' });
  rita().transferRepository('acme/docs', 'globex');
  github.suspend(installationId);
  const project = await findProject(parts.database, world.projectId);
  if (!project) throw new Error('the world has a project');
  const open = () => parts.openProject(project, { metadata: 'read' }, signal);
  await expect(open()).rejects.toMatchObject({ name: 'Parked' });
  expect(await readProject()).toMatchObject({ owner: 'acme' });
  github.unsuspend(installationId);
  await using access = await open();
  expect(access.repository).toMatchObject({ owner: 'globex' });
  expect(await readProject()).toMatchObject({ owner: 'globex' });
});

/** A completed job with its pull request, and tokens that were kept since something was said there; then it moves, untold. */
async function moveWithKeptTokens() {
  const { github, projectId } = world;
  for (const login of ['rita', 'sam', 'kim']) github.setPermission('acme/docs', login, 'write');
  await rita().pushCommit('acme/docs', 'pagewright/x', { 'index.md': '# Acme!\n' }, 'Change it');
  const { number } = await rita().openPullRequest('acme/docs', { title: 'x', head: 'pagewright/x', base: 'main' });
  const { job_id: jobId } = await makeJob(parts, projectId, 'completed');
  await updateJob(parts.database, jobId, { branch: 'pagewright/x', pull_request_number: number });
  const answer = (key: string) => giveAnswer(parts, { jobId, key }, signal);
  async function say(login: string, fullName: string) {
    const { id } = github.asPerson(login).comment(fullName, number, 'Happier, please.');
    const [told] = newest(1);
    if (!told) throw new Error('GitHub told of it');
    return { id, told };
  }
  const { id, told } = await say('sam', 'acme/docs');
  expect(await hear(told)).toMatchObject({ state: 'done' });
  await answer(`comment:${id}:eyes`);
  github.addUser('globex', { type: 'Organization' });
  github.deliveries.drop(undefined, 2);
  github.install({ account: 'globex', repositories: 'all' });
  rita().transferRepository('acme/docs', 'globex');
  return { jobId, id, say, answer };
}

test('promise 2: the first comment on a moved repository is accepted, despite a cached token', async () => {
  const { jobId, say } = await moveWithKeptTokens();
  const { told } = await say('kim', 'globex/docs');
  await expect(hear(told)).rejects.toThrow('no longer reaches');
  expect(await hear(told)).toMatchObject({ state: 'done' });
  expect((await listMessages(parts.database, jobId)).map(({ author }) => author)).toContain('kim');
});

test('promise 2: an answer for a moved repository is posted there, despite a cached token', async () => {
  const { jobId, id, answer } = await moveWithKeptTokens();
  const key = `comment:${id}:eyes`;
  const state = async () => (await findEffect(parts.database, { jobId, key }))?.state;
  await parts.database.updateTable('effects').set({ state: 'intended' }).where('key', '=', key).execute();
  await expect(answer(key)).rejects.toThrow('no longer reaches');
  expect(await state()).toBe('intended');
  await answer(key);
  expect(await state()).toBe('done');
});

test('promise 2: the deletion of a repository is ignored if it has been restored by then', async () => {
  const { github, repository, installationId } = world;
  const { job_id: jobId } = await acceptJob(parts, world.projectId);
  const payload = {
    action: 'deleted',
    repository: { id: repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
    installation: { id: installationId },
  };
  const delivery = { event: 'repository', payload };
  expect(await hear({ ...delivery, deliveryId: 'old' })).toEqual({
    state: 'ignored',
    reason: 'the repository still exists',
  });
  expect(await readStatus(jobId)).toBe('active');
  rita().deleteRepository('acme/docs');
  expect(github.deliveries.log.at(-1)).toMatchObject({ event: 'repository', action: 'deleted' });
  expect(await hear({ ...delivery, deliveryId: 'new' })).toMatchObject({ state: 'done' });
  expect(await readStatus(jobId)).toBe('archived');
});

test('after an uninstallation, GitHub is asked only about projects in use', async () => {
  const { github } = world;
  for (const name of ['guides', 'blog']) await github.addRepository({ owner: 'acme', name, files: {} });
  await reconcileInstallations(parts, signal);
  github.uninstall(world.installationId);
  const [told] = newest(1);
  if (!told) throw new Error('GitHub told of it');
  const before = github.requests.length;
  expect(await hear(told)).toMatchObject({ state: 'done' });
  expect(github.requests.slice(before).map(({ route }) => route)).toEqual([
    'POST /app/installations/:installation_id/access_tokens',
    'GET /app/installations/:installation_id',
    'GET /repos/:owner/:repo/installation',
  ]);
  const removed = parts.database.selectFrom('projects').select('repo').where('removed_at', 'is not', null);
  expect(await removed.orderBy('repo').execute()).toEqual([{ repo: 'blog' }, { repo: 'docs' }, { repo: 'guides' }]);
});

test('a rename, a new default branch or a transfer reads only that repository', async () => {
  const { github } = world;
  const byId = 'GET /app/installations/:installation_id';
  const mint = 'POST /app/installations/:installation_id/access_tokens';
  github.install({ account: 'globex', repositories: 'all' });
  const changes = [
    () => rita().renameRepository('acme/docs', 'handbook'),
    () => rita().setDefaultBranch('acme/handbook', 'trunk'),
    () => rita().transferRepository('acme/handbook', 'globex'),
  ];
  const asked: string[][] = [];
  for (const change of changes) {
    change();
    const [told] = newest(1);
    if (!told) throw new Error('GitHub told of it');
    const before = github.requests.length;
    await hear(told);
    asked.push(github.requests.slice(before).map(({ route }) => route ?? ''));
  }
  const settings = [mint, 'GET /repos/:owner/:repo/contents{/*path}'];
  expect(asked).toEqual([
    [byId, mint],
    [byId, mint, ...settings],
    [byId, mint],
  ]);
  expect(await readProject()).toEqual({
    owner: 'globex',
    repo: 'handbook',
    default_branch: 'trunk',
    removed_at: null,
  });
});
