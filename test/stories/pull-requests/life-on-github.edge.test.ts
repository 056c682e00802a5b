import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { catchUp, createParts } from '../../deliveries/create-parts.ts';
import { openConversation, openStage, type Stage } from '../../support/worlds/conversation.ts';
import { readRuns } from '../../support/worlds/scenario.ts';

const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);

/** Of conversations whose repositories and installations are all that they change. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.concurrent('promise 14: closing a pull request ends its run with one answer, and reopening it continues the job', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const made = await stage.openIn('closers', [steps([editing.step, finish('It is happier now.')]), cheerUp]);
  const { world, service, caller, id, name, number, rita, github, branch } = made;
  rita.comment(name, number, 'Happier, please.');
  await editing.asked;
  rita.comment(name, number, 'And shorter.');
  await eventually(async () => (await made.messages()).length === 2 || undefined);
  await rita.closePullRequest(name, number);
  await caller.until(id, ({ status }) => status === 'archived');
  // While the model still thinks.
  await eventually(
    () => service.lines.some((line) => line.includes('a run was interrupted') && line.includes(id)) || undefined,
    {
      withinMs: 10_000,
    },
  );
  editing.release();
  await made.untilQuiet();

  const [first, second] = await made.runs();
  expect(second).toMatchObject({ code: 'archived', commit: null });
  expect((await made.messages()).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
  const ours = (await made.comments()).filter(({ user }) => user?.type === 'Bot');
  expect(ours.map(({ body }) => body)).toEqual([
    `The pull request was closed, so this job has ended. To continue, reopen it and ask again.\n\n<!-- pagewright:${second?.id}:comment -->`,
  ]);
  expect(await github.commits(branch)).toEqual([first?.commit]);

  await rita.reopenPullRequest(name, number);
  await caller.until(id, ({ status }) => status === 'completed');
  rita.comment(name, number, 'Happier, please!');
  const runs = await made.untilRuns(3);
  expect(runs[2]).toMatchObject({ code: 'published' });
  expect(await github.commits(branch)).toEqual([runs[2]?.commit, first?.commit]);
  expect(await github.pullRequests()).toHaveLength(1);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('promise 14: a pull request that is merged during the push gets no more writes', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, service, caller, id, name, number, rita, github, branch } = made;
  const [pushed] = await github.commits(branch);
  const pushing = world.github.inject({ path: /git-receive-pack$/, kind: 'hold-reset' });
  rita.comment(name, number, 'Happier, please.');
  await eventually(() => pushing.hits() || undefined);
  await rita.mergePullRequest(name, number);
  await caller.until(id, ({ status }) => status === 'archived');
  pushing.release();
  const [comment, answer, ...more] = await made.untilComments(2);
  expect((await made.runs())[1]).toMatchObject({ code: 'archived', commit: null });
  expect([comment?.body, more]).toEqual(['Happier, please.', []]);
  expect(answer?.body).toContain('The pull request was merged');
  // Whatever still was on its way has ended when the service has.
  await service[Symbol.asyncDispose]();
  expect((await github.git('rev-parse', branch)).trim()).toBe(pushed);
});

// By itself: others have the service look for what was not delivered.
test('promise 14: without a webhook, a run detects the merge before it pushes, and answers once', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const made = await stage.openIn('mergers', [steps([editing.step, finish('It is happier now.')])]);
  const { world, caller, id, name, number, rita, github, branch } = made;
  const [pushed] = await github.commits(branch);
  rita.comment(name, number, 'Happier, please.');
  await editing.asked;
  const { id: ours } = world.repository;
  world.github.deliveries.drop(({ event, repositoryId }) => event === 'pull_request' && repositoryId === ours);
  await rita.mergePullRequest(name, number);
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'archived' });
  await made.untilQuiet();
  expect((await github.git('rev-parse', branch)).trim()).toBe(pushed);
  expect(await made.comments()).toHaveLength(2);
  expect(await github.pullRequests()).toHaveLength(1);
});

test.concurrent('promise 14: a pull request that our push closed is not archived, even if it is edited, and the next run reopens it', async () => {
  const made = await stage.openIn('pushers', [cheerUp]);
  const { world, caller, id, name, number, rita, github, branch } = made;
  // What GitHub does after a push that leaves nothing to merge.
  await world.github.asPerson('pagewright-test[bot]').forcePush(name, branch, 'main');
  const { updated_at: closedAt } = await github.pullRequest(number);
  // GitHub dates in whole seconds, and within one it is asked how things are.
  await eventually(() => Date.now() >= Date.parse(closedAt) + 1_000 || undefined);
  await rita.editPullRequest(name, number, { title: 'Limits, later' });
  await made.untilQuiet();
  expect(await github.pullRequest(number)).toMatchObject({ state: 'closed', title: 'Limits, later' });
  await catchUp(createParts(world));
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });

  rita.comment(name, number, 'Happier, please.');
  const [, second] = await made.untilRuns(2);
  expect(second).toMatchObject({ code: 'published' });
  expect(await github.pullRequest(number)).toMatchObject({ state: 'open', title: 'Limits, later' });
  expect(await github.commits(branch)).toEqual([second?.commit]);
  await made.untilQuiet();
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });
});

test.concurrent('a run on a retargeted pull request uses the new base and resolves its conflicts', async () => {
  const solve = steps([write('limits.md', '# Limits\n\n100 requests per second.\n'), finish('Both hold.')]);
  const made = await stage.openIn('movers', [solve]);
  const { world, name, number, rita, github, branch } = made;
  const files = { 'limits.md': '# Limits\n\n60 requests per second.\n' };
  const next = await rita.pushCommit(name, 'next', files, 'The next version');
  await rita.editPullRequest(name, number, { base: 'next' });
  await made.untilQuiet();
  rita.comment(name, number, 'Resolve the conflicts, please.');
  const [first, second] = await made.untilRuns(2);
  const asked = world.model.requests.map(({ body }) => JSON.stringify(body));
  expect(asked.filter((sent) => sent.includes('targets its branch next'))).not.toEqual([]);
  expect((await github.git('show', '-s', '--format=%P', branch)).trim()).toBe(`${first?.commit} ${next}`);
  expect(second).toMatchObject({ code: 'published' });
  expect(await github.file(branch, 'limits.md')).toContain('100 requests per second.');
});

test.concurrent('a branch that is deleted before it has a pull request is created again from the base', async () => {
  await using stage = await openStage();
  const { world, caller, name, rita, github } = stage;
  world.model.setScript(steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Happier.', { title: 'Cheer up' })]));
  world.github.inject({ method: 'POST', path: /\/pulls$/, kind: 'answer', status: 403, body: { message: 'Not now' } });
  const { id } = await caller.create('Happier, please.');
  const { status, source } = await caller.settled(id);
  expect([status, await github.branches()]).toEqual(['failed', [source.ref]]);
  expect((await readRuns(caller, id)).runs[0]).toMatchObject({
    code: 'github_refused',
    sentence: expect.stringMatching(
      new RegExp(`: Not now\\. The change is on the branch ${source.ref}, without a pull request`),
    ),
  });
  await rita.deleteBranch(name, source.ref);
  const base = await rita.pushCommit(name, 'main', { 'new.md': 'New.\n' }, 'New');
  await caller.message(id, 'Now, please.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed', source: { ref: source.ref } });
  expect(await github.git('rev-parse', `${source.ref}^`)).toBe(base);
  expect(await github.pullRequests()).toMatchObject([{ head: { ref: source.ref } }]);
});

test.concurrent('a new default branch provides the settings, and a job keeps its base', async () => {
  const made = await stage.openIn('growers', [cheerUp]);
  const { world, caller, id, name, number, rita } = made;
  await rita.pushCommit(name, 'trunk', { '.github/pagewright.yml': 'comments: mention\n' }, 'A trunk');
  rita.setDefaultBranch(name, 'trunk');
  const { database } = world.database;
  const project = database.selectFrom('projects').selectAll().where('project_id', '=', world.projectId);
  await eventually(
    async () => JSON.stringify((await project.executeTakeFirst())?.settings).includes('"mention"') || undefined,
  );
  expect(await project.execute()).toMatchObject([{ default_branch: 'trunk' }]);
  rita.comment(name, number, 'Nobody in particular.');
  rita.comment(name, number, '@pagewright-test happier, please.');
  await made.untilRuns(2);
  expect(await made.messages()).toMatchObject([{ prompt: expect.stringContaining('happier') }]);
  expect((await caller.get(id)).source.ref).toBe(made.branch);
  const job = database.selectFrom('jobs').select('base').where('job_id', '=', id);
  expect(await job.execute()).toEqual([{ base: 'main' }]);
});
