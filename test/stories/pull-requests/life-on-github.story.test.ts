import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { catchUp, createParts } from '../../deliveries/create-parts.ts';
import { openConversation, openStage } from '../../support/conversation.ts';
import { lookedAfter } from '../../support/looked-after.ts';
import { lookAt, readRuns } from '../../support/scenario.ts';
import { untilProcessed } from '../../support/until-processed.ts';

const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);

test.concurrent('promise 14: closing a pull request ends its run with one answer, and reopening it continues the job', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  await using made = await openConversation({ later: [steps([editing.step, finish('It is happier now.')]), cheerUp] });
  const { world, service, caller, id, name, number, rita, github, branch } = made;
  rita.comment(name, number, 'Happier, please.');
  await editing.asked;
  rita.comment(name, number, 'And shorter.');
  await eventually(async () => (await made.messages()).length === 2 || undefined);
  await rita.closePullRequest(name, number);
  await caller.until(id, ({ status }) => status === 'archived');
  // While the model still thinks.
  await eventually(() => service.lines.some((line) => line.includes('a run was interrupted')) || undefined, {
    withinMs: 10_000,
  });
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

test.concurrent('promise 14: without a webhook, a run detects the merge before it pushes, and answers once', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  await using made = await openConversation({ later: [steps([editing.step, finish('It is happier now.')])] });
  const { world, caller, id, name, number, rita, github, branch } = made;
  const [pushed] = await github.commits(branch);
  rita.comment(name, number, 'Happier, please.');
  await editing.asked;
  world.github.deliveries.drop(({ event }) => event === 'pull_request');
  await rita.mergePullRequest(name, number);
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'archived' });
  await made.untilQuiet();
  expect((await github.git('rev-parse', branch)).trim()).toBe(pushed);
  expect(await made.comments()).toHaveLength(2);
  expect(await github.pullRequests()).toHaveLength(1);
});

test.concurrent('promise 14: a pull request that our push closed is not archived, even if it is edited, and the next run reopens it', async () => {
  await using made = await openConversation({ later: [cheerUp] });
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

test.concurrent('other events on a pull request do not change its job, also when it is archived', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id, name, number, rita, github } = made;
  await rita.convertToDraft(name, number);
  rita.comment(name, number, 'Happier, please.');
  await made.untilRuns(2);
  expect(await github.pullRequest(number)).toMatchObject({ draft: true, state: 'open' });
  await rita.markReadyForReview(name, number);
  await made.untilQuiet();
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });

  await caller.archive(id);
  await rita.editPullRequest(name, number, { title: 'Limits, finally right' });
  await made.untilQuiet();
  expect(await caller.get(id)).toMatchObject({ status: 'archived' });
  await rita.closePullRequest(name, number);
  await made.untilQuiet();
  world.github.deliveries.drop();
  await rita.reopenPullRequest(name, number);
  await catchUp(createParts(world));
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });
});

test.concurrent('a run on a retargeted pull request uses the new base and resolves its conflicts', async () => {
  const solve = steps([write('limits.md', '# Limits\n\n100 requests per second.\n'), finish('Both hold.')]);
  await using made = await openConversation({ later: [solve] });
  const { world, name, number, rita, github, branch } = made;
  const files = { 'limits.md': '# Limits\n\n60 requests per second.\n' };
  const next = await rita.pushCommit(name, 'next', files, 'The next version');
  await rita.editPullRequest(name, number, { base: 'next' });
  await made.untilQuiet();
  rita.comment(name, number, 'Resolve the conflicts, please.');
  const [first, second] = await made.untilRuns(2);
  expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('targets its branch next');
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
  await rita.deleteBranch(name, source.ref);
  const base = await rita.pushCommit(name, 'main', { 'new.md': 'New.\n' }, 'New');
  await caller.message(id, 'Now, please.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed', source: { ref: source.ref } });
  expect(await github.git('rev-parse', `${source.ref}^`)).toBe(base);
  expect(await github.pullRequests()).toMatchObject([{ head: { ref: source.ref } }]);
});

test.concurrent('an archived repository ends runs with a sentence until it is unarchived, and private repositories work like public ones', async () => {
  await using made = await openConversation({ later: [cheerUp, cheerUp] });
  const { caller, id, name, number, rita } = made;
  rita.archiveRepository(name);
  await caller.message(id, 'Happier, please.');
  const [, refused] = await made.untilRuns(2);
  expect(refused).toMatchObject({
    code: 'repository_archived',
    sentence: expect.stringContaining('acme/docs is archived'),
  });
  rita.unarchiveRepository(name);
  rita.privatizeRepository(name);
  rita.comment(name, number, 'Happier, please.');
  expect((await made.untilRuns(3))[2]).toMatchObject({ code: 'published' });
  await made.untilQuiet();
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });
});

test.concurrent('a new default branch provides the settings, and a job keeps its base', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id, name, number, rita } = made;
  await rita.pushCommit(name, 'trunk', { '.github/pagewright.yml': 'comments: mention\n' }, 'A trunk');
  rita.setDefaultBranch(name, 'trunk');
  await untilProcessed(world);
  const projects = world.database.database.selectFrom('projects').select('default_branch');
  expect(await projects.execute()).toEqual([{ default_branch: 'trunk' }]);
  rita.comment(name, number, 'Nobody in particular.');
  rita.comment(name, number, '@pagewright-test happier, please.');
  await made.untilRuns(2);
  expect(await made.messages()).toMatchObject([{ prompt: expect.stringContaining('happier') }]);
  expect((await caller.get(id)).source.ref).toBe(made.branch);
  const job = world.database.database.selectFrom('jobs').select('base').where('job_id', '=', id);
  expect(await job.execute()).toEqual([{ base: 'main' }]);
});

test.concurrent('a repository that moves to another account with the App continues there, also when its removal is delivered first', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id, name, number, rita } = made;
  const { github } = world;
  github.addUser('globex', { type: 'Organization' });
  github.install({ account: 'globex', repositories: 'all' });
  await untilProcessed(world);
  const isTransfer = ({ event, action }: { event: string; action: string | null }) =>
    event === 'repository' && action === 'transferred';
  github.deliveries.fail(isTransfer);
  rita.transferRepository(name, 'globex');
  // Something that has the old installation looked at.
  github.setInstallationPermissions(world.installationId, {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
  });
  await untilProcessed(world);
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });

  await catchUp(createParts(world));
  rita.comment('globex/docs', number, 'Happier, please.');
  const [, second] = await made.untilRuns(2);
  expect(second).toMatchObject({ code: 'published' });
  const there = lookAt({ ...world, repository: { ...world.repository, fullName: 'globex/docs' } });
  expect(await there.commits(made.branch)).toContain(second?.commit);
  expect(await caller.get(id)).toMatchObject({ source: { repository: `${github.webUrl}/globex/docs` } });
});

test.concurrent('promise 21: a suspended installation gets no requests, and a missed unsuspend event is detected', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id } = made;
  const { github, installationId } = world;
  const parts = createParts(world);
  await lookedAfter(world);
  await made.untilQuiet();
  github.suspend(installationId);
  await eventually(async () => {
    const found = world.database.database.selectFrom('installations').select('suspended_at');
    return (await found.executeTakeFirst())?.suspended_at ?? undefined;
  });
  const before = github.requests.length;
  await caller.message(id, 'Happier, please.');
  await catchUp(parts);
  const asked = github.requests.slice(before).map(({ path }) => path);
  expect(asked).toEqual(expect.arrayContaining(['/app/installations', '/app/hook/deliveries']));
  expect(asked.filter((path) => !['/app', '/app/installations', '/app/hook/deliveries'].includes(path))).toEqual([]);
  expect(await readRuns(caller, id)).toMatchObject({ waiting: [{ prompt: 'Happier, please.' }] });

  github.deliveries.drop();
  github.unsuspend(installationId);
  await catchUp(parts);
  expect((await made.untilRuns(2))[1]).toMatchObject({ code: 'published' });
});

test.concurrent('promise 21: at GitHub’s rate limit a run waits for the reset, and its installation sends no requests', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id } = made;
  const { github, database } = world;
  await lookedAfter(world);
  const limit = github.inject({ method: 'GET', path: /\/pulls\/1$/, kind: 'secondary-limit', retryAfter: 2 });
  await caller.message(id, 'Happier, please.');
  const blocked = database.database.selectFrom('installations').select('blocked_until');
  const until = await eventually(async () => (await blocked.executeTakeFirst())?.blocked_until ?? undefined);
  await catchUp(createParts(world));
  expect((await made.untilRuns(2))[1]).toMatchObject({ code: 'published' });

  expect(limit.hits()).toBe(1);
  const refused = github.requests.findIndex(({ status, path }) => status === 403 && path.endsWith('/pulls/1'));
  const asked = github.requests
    .slice(refused + 1)
    .filter(({ at, tokenInfo }) => at < until && tokenInfo.kind === 'installation');
  // A token that is given back counts for nothing.
  expect(asked.map(({ route }) => route).filter((route) => route !== 'DELETE /installation/token')).toEqual([]);
  expect(await made.comments()).toHaveLength(1);
});
