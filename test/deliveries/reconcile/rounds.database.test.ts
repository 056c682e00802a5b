import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { syncAutomations } from '../../../src/automations/sync-automations.ts';
import type { DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { processDelivery } from '../../../src/deliveries/process-delivery.ts';
import { reconcileOccasions, reconcilePullRequests } from '../../../src/deliveries/reconcile/reconcile.ts';
import { reconcileInstallations } from '../../../src/deliveries/reconcile/reconcile-installation.ts';
import { refreshSettings } from '../../../src/deliveries/reconcile/refresh-settings.ts';
import { storeDelivery } from '../../../src/deliveries/store-delivery.ts';
import { defaultSettings, parseSettings } from '../../../src/repository/settings.ts';
import { transact } from '../../../src/store/postgres/database.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { storeSettings } from '../../../src/store/tables/repositories/projects.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const mintRoute = 'POST /app/installations/:installation_id/access_tokens';
const pullsRoute = 'GET /repos/:owner/:repo/pulls';
const listInstallations = { method: 'GET', path: /^\/app\/installations(\?|$)/ } as const;

const { signal } = new AbortController();
let world: World;
let parts: DeliveryParts;
let lines: string[];
beforeEach(async () => {
  world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  lines = [];
  parts = createParts(world, { lines, retryDelaysMs: [] });
});
afterEach(() => world[Symbol.asyncDispose]());

const since = (before: number) => world.github.requests.slice(before);
const pathsOf = (before: number, route: string) =>
  since(before).flatMap((each) => (each.route === route ? each.path : []));

/** Another account with a repository and the App, and a job in it. */
async function addAccount(owner: string) {
  const { id: repositoryId } = await world.github.addRepository({ owner, name: 'guides', files: {} });
  const installationId = world.github.install({ account: owner, repositories: 'all' });
  await reconcileInstallations(parts, signal);
  const found = parts.database.selectFrom('projects').selectAll().where('repository_id', '=', repositoryId);
  const { project_id: projectId } = await found.executeTakeFirstOrThrow();
  const { job_id: jobId } = await acceptJob(parts, projectId);
  return { installationId, projectId, jobId };
}

/** A job whose pull request has this number. */
async function addPullRequest(projectId: string, number: number): Promise<string> {
  const { job_id: jobId } = await acceptJob(parts, projectId);
  await updateJob(parts.database, jobId, { branch: `pagewright/${number}`, pull_request_number: number });
  return jobId;
}

const readStatus = async (jobId: string) =>
  (await parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId).executeTakeFirstOrThrow())
    .status;

/** Does a round whose time is up once its first question of this kind is on its way. */
async function cutShort(path: RegExp, round: (timeUp: AbortSignal) => Promise<void>): Promise<string> {
  const ending = new AbortController();
  const before = world.github.requests.length;
  const first = world.github.inject({ path, kind: 'hold-before' });
  const working = round(ending.signal);
  const asked = await eventually(() => since(before).find((request) => path.test(request.path)));
  ending.abort(new Error('the time is up'));
  await working;
  first.remove();
  return asked.path;
}

test('a round that runs out of time does not fail, and the next one starts with the next installation', async () => {
  await addAccount('globex');
  const mint = /\/access_tokens$/;
  const first = await cutShort(mint, (timeUp) => reconcileInstallations(parts, signal, timeUp));
  const before = world.github.requests.length;
  await reconcileInstallations(parts, signal);
  const [next, last] = pathsOf(before, mintRoute);
  expect(next).not.toBe(first);
  expect(last).toBe(first);
});

test('a round that runs out of time does not fail, and the next one starts with the next pull requests', async () => {
  const { projectId } = await addAccount('globex');
  await addPullRequest(projectId, 7);
  await addPullRequest(world.projectId, 7);
  const first = await cutShort(/\/pulls(\?|$)/, (timeUp) => reconcilePullRequests(parts, signal, timeUp));
  const before = world.github.requests.length;
  await reconcilePullRequests(parts, signal);
  const [next, last] = pathsOf(before, pullsRoute);
  expect(next).not.toBe(first);
  expect(last).toBe(first);
});

test('a round that runs out of time does not fail, and the next one starts with the next repository that triggers', async () => {
  const { projectId } = await addAccount('globex');
  for (const id of [projectId, world.projectId]) {
    const project = await parts.database
      .selectFrom('projects')
      .selectAll()
      .where('project_id', '=', id)
      .executeTakeFirstOrThrow();
    const { settings } = parseSettings(
      `automations:\n  follow:\n    on: {merged: ${project.owner}/${project.repo}}\n    prompt: Follow.\n`,
    );
    await transact(parts.database, async (tx) => {
      await storeSettings(tx, id, { settings: { ...defaultSettings, ...settings }, problems: [] });
      await syncAutomations(tx, id);
    });
  }
  const first = await cutShort(/\/pulls(\?|$)/, (timeUp) => reconcileOccasions(parts, signal, timeUp));
  const before = world.github.requests.length;
  await reconcileOccasions(parts, signal);
  const [next, last] = pathsOf(before, pullsRoute);
  expect(next).not.toBe(first);
  expect(last).toBe(first);
});

test('an installation with a project that has no pull request yet does not come first in every round', async () => {
  await world.github.addRepository({ owner: 'acme', name: 'new', files: {} });
  await reconcileInstallations(parts, signal);
  const found = parts.database.selectFrom('projects').select('project_id').where('repo', '=', 'new');
  await acceptJob(parts, (await found.executeTakeFirstOrThrow()).project_id);
  const { projectId } = await addAccount('globex');
  await addPullRequest(projectId, 7);
  await addPullRequest(world.projectId, 7);
  const round = () => cutShort(/\/pulls(\?|$)/, (timeUp) => reconcilePullRequests(parts, signal, timeUp));
  const asked = [await round(), await round(), await round()];
  expect(asked[1]).not.toBe(asked[0]);
  expect(asked[2]).toBe(asked[0]);
});

test('the oldest settings are refreshed first, and a failure blocks no other project', async () => {
  await addAccount('globex');
  await refreshSettings(parts, signal);
  const read = (owner: string, readAt: Date) =>
    parts.database.updateTable('projects').set({ settings_read_at: readAt }).where('owner', '=', owner).execute();
  const { github } = world;
  const paths: string[][] = [];
  for (const [older, newer] of [
    ['acme', 'globex'],
    ['globex', 'acme'],
  ] as const) {
    await read(older, new Date('2026-11-01'));
    await read(newer, new Date('2026-11-02'));
    github.inject({ path: /\/contents\//, kind: 'answer', status: 500, body: {} });
    const before = github.requests.length;
    await refreshSettings(parts, signal);
    paths.push(pathsOf(before, 'GET /repos/:owner/:repo/contents{/*path}'));
  }
  expect(paths.map((each) => each.map((path) => path.split('/')[2]))).toEqual([
    ['acme', 'globex'],
    ['globex', 'acme'],
  ]);
  expect(lines.filter((line) => line.includes('could not reconcile with GitHub; the next round retries'))).toHaveLength(
    2,
  );
});

test('the projects of an installation are reconciled with one token', async () => {
  const { github, installationId } = world;
  await github.addRepository({ owner: 'acme', name: 'guides', files: {} });
  await reconcileInstallations(parts, signal);
  for (const { project_id: projectId } of await parts.database.selectFrom('projects').select('project_id').execute())
    await addPullRequest(projectId, 7);
  const before = github.requests.length;
  await reconcilePullRequests(parts, signal);
  expect(pathsOf(before, mintRoute)).toEqual([`/app/installations/${installationId}/access_tokens`]);
  expect(pathsOf(before, pullsRoute)).toHaveLength(2);
});

test("promise 2: a job is not reconciled with a repository that has taken its repository's name", async () => {
  const { github } = world;
  const rita = github.asPerson('rita');
  const jobId = await addPullRequest(world.projectId, 1);
  rita.renameRepository('acme/docs', 'handbook');
  await github.addRepository({ owner: 'acme', name: 'docs', files: { 'index.md': 'Other.\n' } });
  await rita.pushCommit('acme/docs', 'next', { 'new.md': 'New.\n' }, 'Next');
  await rita.openPullRequest('acme/docs', { title: 'Next', body: '', head: 'next', base: 'main' });
  await rita.closePullRequest('acme/docs', 1);
  await reconcilePullRequests(parts, signal);
  expect(await readStatus(jobId)).toBe('active');
});

test('an unsuspend webhook during a round is not undone', async () => {
  const { github, installationId } = world;
  const hear = async () => {
    const told = github.deliveries.log.at(-1);
    if (!told) throw new Error('GitHub told of it');
    await storeDelivery(parts, { id: told.deliveryId, name: told.event, payload: told.payload });
    await processDelivery(parts, told.deliveryId, signal);
  };
  const readSuspended = async () => {
    const found = parts.database.selectFrom('installations').select('suspended_at');
    return (await found.where('installation_id', '=', installationId).executeTakeFirstOrThrow()).suspended_at;
  };
  github.suspend(installationId);
  await hear();
  expect(await readSuspended()).toEqual(expect.any(Date));
  const before = github.requests.length;
  const listing = github.inject({ ...listInstallations, kind: 'hold-after' });
  const comparing = reconcileInstallations(parts, signal);
  await eventually(() => since(before).find(({ path, done }) => done && listInstallations.path.test(path)));
  github.unsuspend(installationId);
  await hear();
  expect(await readSuspended()).toBeNull();
  listing.release();
  await comparing;
  expect(await readSuspended()).toBeNull();

  // What nobody told of is found.
  github.suspend(installationId);
  await reconcileInstallations(parts, signal);
  expect(await readSuspended()).toEqual(expect.any(Date));
});

test('a deleted installation with a rate limit does not block the removal of others', async () => {
  const { github, installationId } = world;
  const { job_id: blocked } = await acceptJob(parts, world.projectId);
  const other = await addAccount('globex');
  const path = new RegExp(`/installations/${installationId}/access_tokens$`);
  github.inject({ path, kind: 'secondary-limit', retryAfter: 60 });
  github.uninstall(installationId);
  github.uninstall(other.installationId);
  await reconcileInstallations(parts, signal);
  expect([await readStatus(blocked), await readStatus(other.jobId)]).toEqual(['active', 'archived']);
});
