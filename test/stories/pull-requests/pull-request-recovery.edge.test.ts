import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const nothing = steps([finish('It is all there already.')]);
const second = steps([
  edit('index.md', 'Welcome.', 'Welcome!'),
  finish('Sounds happier.', { title: 'Cheer up', description: 'Happier, too.' }),
]);
const third = steps([
  edit('index.md', 'Welcome!', 'Welcome!!'),
  finish('Even happier.', { title: 'Cheer up more', description: 'Happier than that.' }),
]);

const docs = { 'index.md': '# Acme\n\nWelcome.\n', 'limits.md': '# Limits\n\n60 requests per minute.\n' };

/** A world with a service; the model plays one script for each run. */
async function start(scripts: Script[], files: Record<string, string> = {}) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await createWorld({ script: perRun(scripts), files: { ...docs, ...files } }));
  const service = cleanup.use(await startInWorld(world));
  const held = cleanup.move();
  const [{ caller, lines }, github] = [service, lookAt(world)];
  return { world, caller, lines, github, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const pulls = { method: 'POST', path: /\/pulls$/, kind: 'answer' } as const;

test.each([
  {
    because: 'the App may not open a pull request',
    answer: {
      status: 403,
      body: { message: 'Resource not accessible by integration' },
      headers: { 'x-accepted-github-permissions': 'pull_requests=write,administration=write' },
    },
    code: 'permission_missing',
    sentence: 'lacks administration=write',
  },
  {
    because: 'GitHub refuses the pull request for an unknown reason',
    answer: { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'the moon is full' }] } },
    code: 'github_refused',
    sentence: 'the moon is full',
  },
  {
    because: 'the base was deleted',
    answer: {
      status: 422,
      body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }] },
    },
    code: 'branch_missing',
    sentence: 'Create it again, or start a job from a branch that exists',
  },
])('the next run’s pull request contains the pushed commit of a run that failed because $because', async (given) => {
  await using made = await start([oneRun, nothing]);
  const { world, caller, github } = made;
  world.github.inject({ ...pulls, ...given.answer });
  const { id } = await caller.create('Make it 100.');
  const failed = await caller.settled(id);
  expect(failed).toMatchObject({ status: 'failed', prLink: null });
  const [commit] = await github.commits(failed.source.ref);
  const { code, sentence } = given;
  const first = { code, sentence: expect.stringContaining(sentence), commit };
  expect((await readRuns(caller, id)).runs).toMatchObject([first]);

  await caller.message(id, 'Please try again.');
  expect(await caller.settled(id)).toMatchObject({
    status: 'completed',
    prLink: expect.stringMatching(/\/pull\/1$/),
  });
  expect((await readRuns(caller, id)).runs).toMatchObject([
    first,
    { code: 'published', sentence: 'The changes of an earlier run were published in the pull request.', commit },
  ]);
  const [pullRequest, ...others] = await github.pullRequests();
  expect(others).toEqual([]);
  expect(pullRequest).toMatchObject({ title: 'Correct the limit', head: { ref: failed.source.ref, sha: commit } });
  expect(await github.commits(failed.source.ref)).toEqual([commit]);
});

test('promise 21: a run that opens a pull request too quickly for GitHub opens it later', async () => {
  await using made = await start([oneRun]);
  const { world, caller, github } = made;
  const { database } = world.database;
  const body = { message: 'Validation Failed', errors: ['was submitted too quickly after your last pull request'] };
  world.github.inject({ ...pulls, status: 422, body });
  const { id } = await caller.create('Make it 100.');
  const soon = new Date(Date.now() + 30_000);
  const isParked = database.selectFrom('jobs').select('job_id').where('due_at', '>', soon);
  await eventually(() => isParked.executeTakeFirst());
  await database.updateTable('installations').set({ blocked_until: null }).execute();
  await updateJob(database, id, { due_at: new Date(0) });
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  expect((await readRuns(caller, id)).runs).toMatchObject([{ code: 'published' }]);
  expect(await github.pullRequests()).toHaveLength(1);
});

test('labels are added to a pull request that gets a comment before it is recorded', async () => {
  await using made = await start([oneRun, nothing], { '.github/pagewright.yml': 'labels: [docs]\n' });
  const { world, caller, github, lines } = made;
  const { database } = world.database;
  world.github.inject({ method: 'POST', path: /\/pulls$/, kind: 'after' });
  const looking = world.github.inject({ method: 'GET', path: /\/pulls$/, kind: 'before', times: 99 });
  const { id } = await caller.create('Make it 100.');
  await eventually(() => lines.find((line) => line.includes('a run was interrupted')));
  world.github.asPerson('rita').comment('acme/docs', 1, 'Nice, thanks.');
  const isNoted = database.selectFrom('jobs').select('job_id').where('pull_request_number', '=', 1);
  await eventually(() => isNoted.executeTakeFirst());
  looking.remove();
  await updateJob(database, id, { due_at: new Date(0) });
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  expect((await github.pullRequest(1)).labels.map(({ name }) => name)).toEqual(['docs']);
  expect(await github.pullRequests()).toHaveLength(1);
});

test('a run in a locked conversation keeps its pushed commit', async () => {
  await using made = await start([oneRun, second]);
  const { world, caller, github, lines } = made;
  const { id } = await caller.create('Make it 100.');
  const { source } = await caller.settled(id);
  const body = { message: 'Unable to create comment because issue is locked.' };
  const locked = { method: 'POST', path: /\/issues\/1\/comments$/, kind: 'answer', status: 403, body } as const;
  const posting = world.github.inject({ ...locked, times: 9 });
  await caller.message(id, 'Happier, please.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const [commit] = await github.commits(source.ref);
  const { runs } = await readRuns(caller, id);
  expect(runs[1]).toMatchObject({ code: 'published', commit, messages: [{ state: 'answered' }] });
  expect(await github.file(source.ref, 'index.md')).toContain('Welcome!');
  expect(posting.hits()).toBe(1);
  expect(lines.filter((line) => line.includes('an effect was refused'))).toHaveLength(1);
});

test('promise 17: the title stays ours after a database outage during its update', async () => {
  await using made = await start([oneRun, second, third]);
  const { world, caller, github, lines } = made;
  const { id } = await caller.create('Make it 100.');
  await caller.settled(id);
  const patching = world.github.inject({ method: 'PATCH', path: /\/pulls\/1$/, kind: 'hold-after' });
  await caller.message(id, 'Happier, please.');
  await eventually(() => world.github.requests.find(({ method, done }) => done && method === 'PATCH'));
  await world.database.setReachable(false);
  patching.release();
  await eventually(() => lines.find((line) => line.includes('a run was interrupted')));
  await world.database.setReachable(true);

  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const takeovers = await world.database.database.selectFrom('runs').select('takeovers').orderBy('number').execute();
  expect(takeovers).toEqual([{ takeovers: 0 }, { takeovers: 0 }]);
  expect((await github.pullRequest(1)).title).toBe('Cheer up');
  expect(await github.comments(1)).toHaveLength(1);
  expect(world.model.requests).toHaveLength(4);

  await caller.message(id, 'Even happier.');
  await caller.settled(id);
  expect((await github.pullRequest(1)).title).toBe('Cheer up more');
});

test('promise 17: an answer of the model during a database outage is kept, and not paid for twice', async () => {
  const editing = hold(edit('limits.md', '60 requests', '100 requests'));
  const script = steps([editing.step, finish('The limit is 100 now.', { title: 'Correct the limit' })]);
  await using made = await start([script]);
  const { world, caller, github, lines } = made;
  const { id } = await caller.create('Make it 100.');
  await editing.asked;
  await world.database.setReachable(false);
  editing.release();
  await eventually(() => lines.find((line) => line.includes('could not renew a lease')));
  await world.database.setReachable(true);
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  expect((await readRuns(caller, id)).runs).toMatchObject([{ number: 1, code: 'published', turns: 2 }]);
  expect(world.model.requests).toHaveLength(2);
  expect(await github.pullRequests()).toHaveLength(1);
  expect(lines.filter((line) => line.includes('a run met an unexpected error'))).toEqual([]);
});

test('characters that git or the database cannot store are replaced in the model’s text', async () => {
  const said = finish('The \0limit is 100.', { title: 'Correct\0 the limit', description: 'Says \0 100.' });
  await using made = await start([steps([edit('limits.md', '60', '100'), said])]);
  const { caller, github } = made;
  const { id } = await caller.create('Make it 100.');
  const { source } = await caller.settled(id);
  expect((await readRuns(caller, id)).runs).toMatchObject([{ code: 'published' }]);
  const { title, body } = await github.pullRequest(1);
  expect(title).toBe('Correct\uFFFD the limit');
  expect(body).toContain('Says \uFFFD 100.');
  expect(await github.git('log', '-1', '--format=%B', source.ref)).toContain('The \uFFFDlimit is 100.');
});
