import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { correct, done, oneRun } from '../../support/worlds/correction.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { untilProcessed } from '../../support/worlds/until-processed.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

const second = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Sounds happier.')]);

/** A world whose job is completed and has its pull request. */
async function openPullRequest() {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await createWorld({ script: perRun([oneRun, second]) }));
  const service = cleanup.use(await startInWorld(world));
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  const job = await caller.settled(id);
  const held = cleanup.move();
  const rita = world.github.asPerson('rita');
  const { deliveries } = world.github;
  return { world, caller, id, job, rita, deliveries, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

test.concurrent('uninstalling the App archives its jobs and refuses new ones until it is installed again', async () => {
  await using made = await openPullRequest();
  const { world, caller, id } = made;
  world.github.uninstall(world.installationId);
  await caller.until(id, ({ status }) => status === 'archived');
  await expect(caller.create('More.')).rejects.toThrow('409');
  await expect(caller.message(id, 'More.')).rejects.toThrow('409');
  world.github.install({ account: 'acme', repositories: 'all' });
  await untilProcessed(world);
  const again = await caller.create('Make it 100.');
  expect(await caller.settled(again.id)).toMatchObject({ status: 'completed' });
});

test.concurrent('a renamed repository continues under its new name', async () => {
  await using made = await openPullRequest();
  const { world, caller, id, rita } = made;
  rita.renameRepository('acme/docs', 'handbook');
  await untilProcessed(world);
  const { webUrl } = world.github;
  expect((await caller.get(id)).source.repository).toBe(`${webUrl}/acme/handbook`);
  await caller.message(id, 'Happier.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const renamed = lookAt({ ...world, repository: { ...world.repository, fullName: 'acme/handbook' } });
  const [comment] = await renamed.comments(1);
  expect(comment?.body).toContain(`${webUrl}/acme/handbook/commit/`);
});

test.concurrent('a repository that is renamed during a run gets its pull request', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: steps([editing.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  world.github.deliveries.hold();
  const { id } = await caller.create('Make it 100.');
  await editing.asked;
  world.github.asPerson('rita').renameRepository('acme/docs', 'handbook');
  editing.release();
  const { status, source } = await caller.settled(id);
  expect([status, source.repository]).toEqual(['completed', `${world.github.webUrl}/acme/handbook`]);
  expect(world.github.duplicates()).toEqual([]);
});

/** Moves acme/docs to another account with the App, of which GitHub tells nothing; for looking at it there. */
function moveUntold(world: World) {
  const { github, repository } = world;
  github.addUser('globex', { type: 'Organization' });
  github.deliveries.drop(undefined, 2);
  const installationId = github.install({ account: 'globex', repositories: 'all' });
  github.asPerson('rita').transferRepository('acme/docs', 'globex');
  return lookAt({ ...world, installationId, repository: { ...repository, fullName: 'globex/docs' } });
}

test.concurrent('promise 2: a repository that moves to another account during a run gets its pull request there', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: steps([editing.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  await editing.asked;
  const there = moveUntold(world);
  editing.release();
  const job = await caller.settled(id);
  expect(job).toMatchObject({ status: 'completed', prLink: `${world.github.webUrl}/globex/docs/pull/1` });
  expect(await there.commits(job.source.ref)).toHaveLength(1);
});

test.concurrent('promise 2: a follow-up before the webhook about a transfer is answered in the new account', async () => {
  await using made = await openPullRequest();
  const { world, caller, id } = made;
  const there = moveUntold(world);
  await caller.message(id, 'Happier.');
  expect(await caller.settled(id)).toMatchObject({
    status: 'completed',
    source: { repository: `${world.github.webUrl}/globex/docs` },
  });
  expect(await there.comments(1)).toHaveLength(1);
});

test.concurrent('promise 2: a comment that is delivered before the transfer of its repository is answered', async () => {
  await using made = await openPullRequest();
  const { world, caller, id, rita } = made;
  const there = moveUntold(world);
  rita.comment('globex/docs', 1, 'Happier.');
  await eventually(async () => (await there.comments(1))[1]);
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
});

test.concurrent('suspending an installation parks its run, and unsuspending it continues the same run', async () => {
  const editing = hold(correct);
  await using world = await createWorld({ script: steps([editing.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  await editing.asked;
  world.github.suspend(world.installationId);
  await untilProcessed(world);
  editing.release();
  const lease = world.database.database.selectFrom('jobs').select('lease_owner').where('job_id', '=', id);
  await eventually(async () => ((await lease.executeTakeFirst())?.lease_owner === null ? true : undefined));
  expect(await caller.get(id)).toMatchObject({ status: 'active' });
  world.github.unsuspend(world.installationId);
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([{ code: 'published', turns: 2 }]);
  expect(world.model.requests).toHaveLength(2);
});

test.concurrent.each([
  ['opens its pull request', /\/pulls$/, 1],
  ['posts its answer', /\/issues\/\d+\/comments$/, 2],
])('a run that is suspended while it %s continues afterwards, and does this once', async (_name, path, count) => {
  await using world = await createWorld({ script: perRun([oneRun, second]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const body = { message: 'This installation has been suspended' };
  const refused = world.github.inject({ method: 'POST', path, kind: 'answer', status: 403, body });
  const { id } = await caller.create('Make it 100.');
  if (count > 1) {
    await caller.settled(id);
    await caller.message(id, 'Happier.');
  }
  const suspended = world.database.database
    .selectFrom('installations')
    .selectAll()
    .where('suspended_at', 'is not', null);
  await eventually(() => suspended.executeTakeFirst());
  expect(refused.hits()).toBe(1);
  world.github.suspend(world.installationId);
  world.github.unsuspend(world.installationId);
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const { runs } = await readRuns(caller, id);
  expect(runs.map(({ code }) => code)).toEqual(Array(count).fill('published'));
  const github = lookAt(world);
  expect(await github.pullRequests()).toHaveLength(1);
  expect(await github.comments(1)).toHaveLength(count - 1);
});

test.concurrent('promise 8: at its start the service finds changes to installations from while it was down', async () => {
  await using world = await createWorld({ script: oneRun });
  await world.github.addRepository({ owner: 'globex', name: 'manual', files: { 'index.md': 'Hi.\n' } });
  world.github.install({ account: 'globex', repositories: 'all' });
  world.github.removeFromInstallation(world.installationId, ['docs']);
  await using service = await startInWorld(world);
  const projects = world.database.database.selectFrom('projects').select(['owner', 'repo', 'removed_at']);
  const names = await eventually(async () => {
    const found = (await projects.execute()).map(({ owner, repo, removed_at }) => [owner, repo, removed_at !== null]);
    return found.length === 2 && found.some(([, , isGone]) => isGone) ? found.toSorted() : undefined;
  });
  expect(names).toEqual([
    ['acme', 'docs', true],
    ['globex', 'manual', false],
  ]);
  await expect(service.caller.create('More.')).rejects.toThrow('409');
});
