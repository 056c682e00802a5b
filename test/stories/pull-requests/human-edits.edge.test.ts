import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { openConversation, openStage, type Stage } from '../../support/worlds/conversation.ts';
import { readRuns } from '../../support/worlds/scenario.ts';

let stage: Stage;
let opened = 0;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A job with its pull request in a repository of its own; `later` is what the model does in the runs after that. */
async function openPullRequest(later: Script[]) {
  opened += 1;
  const made = await stage.openIn(`edits-${opened}`, later);
  const { world, rita, name, branch } = made;
  return {
    ...made,
    pushAsRita: (files: Record<string, string | null>) => rita.pushCommit(name, branch, files, 'A change of a person'),
    /** What the model was asked about this repository, oldest first. */
    asked: () => world.model.requests.map(({ body }) => JSON.stringify(body)).filter((sent) => sent.includes(name)),
  };
}

const second = steps([
  edit('index.md', 'Welcome.', 'Welcome!'),
  finish('Sounds happier.', { title: 'Cheer up', description: 'Happier, too.' }),
]);

test.concurrent('promise 13: text that a person wrote around our section of the body stays unchanged', async () => {
  const made = await openPullRequest([second]);
  const { caller, id, rita, github, name } = made;
  const before = (await github.pullRequest(1)).body ?? '';
  await rita.editPullRequest(name, 1, { body: `Rita's note.\r\n\r\n${before}\n\nFor release 7. <!-- mine -->` });
  await caller.message(id, 'Happier, please.');
  await caller.settled(id);
  const { title, body } = await github.pullRequest(1);
  expect(title).toBe('Cheer up');
  expect(body?.startsWith("Rita's note.\r\n\r\n<!-- pagewright:start -->")).toBe(true);
  expect(body?.endsWith(`<!-- pagewright:job ${id} -->\n\nFor release 7. <!-- mine -->`)).toBe(true);
  expect(body).toContain('Happier, too.');
  expect(body).not.toContain('Says 100 requests.');
});

test.concurrent('promise 13: an edit by a person during our push stays', async () => {
  const made = await openPullRequest([second]);
  const { world, caller, id, rita, github, name } = made;
  const { body: before } = await github.pullRequest(1);
  const pushing = world.github.inject({ path: new RegExp(`/${name}.git/git-receive-pack$`), kind: 'hold-before' });
  await caller.message(id, 'Happier, please.');
  await eventually(() => pushing.hits() || undefined);
  await rita.editPullRequest(name, 1, { title: 'Mine', body: `Rita's note.\n\n${before}` });
  await eventually(() =>
    world.database.database
      .selectFrom('jobs')
      .select('job_id')
      .where('job_id', '=', id)
      .where('pull_request_updated_at', 'is not', null)
      .executeTakeFirst(),
  );
  pushing.release();
  await caller.settled(id);
  const { title, body } = await github.pullRequest(1);
  expect(title).toBe('Mine');
  expect(body).toMatch(/^Rita's note\.\n\n<!-- pagewright:start -->/);
  expect(body).toContain('Happier, too.');
});

test.concurrent('promise 13: a run starts from a commit that a person pushed before it', async () => {
  const made = await openPullRequest([second]);
  const { caller, id, branch, github, pushAsRita } = made;
  const theirs = await pushAsRita({ 'index.md': '# Acme Inc\n\nWelcome.\n' });
  await caller.message(id, 'Happier, please.');
  await caller.settled(id);
  const [ours, parent] = await github.commits(branch);
  expect(parent).toBe(theirs);
  expect(ours).toBe((await readRuns(caller, id)).runs[1]?.commit);
  expect(await github.file(branch, 'index.md')).toBe('# Acme Inc\n\nWelcome!');
});

test.concurrent('promise 13: a commit pushed while the run works is kept, and the run’s change goes on top of it', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const made = await openPullRequest([steps([editing.step, finish('Sounds happier.')])]);
  const { caller, id, branch, github, pushAsRita } = made;
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  const theirs = await pushAsRita({ 'limits.md': '# Limits\n\n100 requests per minute, per key.\n' });
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });

  const { runs } = await readRuns(caller, id);
  const [ours, parent] = await github.commits(branch);
  expect([ours, parent]).toEqual([runs[1]?.commit, theirs]);
  expect(await github.file(branch, 'limits.md')).toContain('per key');
  expect(await github.file(branch, 'index.md')).toContain('Welcome!');
  const comments = await github.comments(1);
  expect(comments.map(({ body }) => body?.includes(`/commit/${ours}`))).toEqual([true]);
  // The model was not asked again: two requests for the first run, two for the second.
  expect(made.asked()).toHaveLength(4);
});

test.concurrent('a problem that is left is told once, although the change is frozen again on a pushed commit', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome. Read [the prices](prices.md).'));
  const sentBackTwice = [finish('Linked.'), finish('Linked.')];
  const made = await openPullRequest([steps([editing.step, ...sentBackTwice, finish('Linked.')])]);
  const { caller, id, pushAsRita, world } = made;
  await caller.message(id, 'Link the prices.');
  await editing.asked;
  await pushAsRita({ 'limits.md': '# Limits\n\n100 requests per minute, per key.\n' });
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  const events = world.database.database
    .selectFrom('events')
    .select('data')
    .where('job_id', '=', id)
    .where('type', '=', 'check.problem');
  expect((await events.execute()).filter(({ data }) => !JSON.stringify(data).includes('"sentBack":true'))).toHaveLength(
    1,
  );
});

test.concurrent('promise 13: a conflicting push returns the run to the agent once, which resolves the conflict', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const script = steps([
    editing.step,
    write('new.md', 'New.\n'),
    finish('Sounds happier.'),
    edit('index.md', 'Good day.', 'Good day!'),
    finish('Happier, on top of yours.'),
  ]);
  const made = await openPullRequest([script]);
  const { caller, id, branch, github, pushAsRita, world } = made;
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  const theirs = await pushAsRita({ 'index.md': '# Acme\n\nGood day.\n' });
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });

  const { runs } = await readRuns(caller, id);
  expect(await github.commits(branch)).toEqual([runs[1]?.commit, theirs, runs[0]?.commit]);
  expect(await github.file(branch, 'index.md')).toBe('# Acme\n\nGood day!');
  expect(await github.file(branch, 'new.md')).toBe('New.');
  const told = made.asked().at(-1) ?? '';
  expect(told.match(/somebody changed the same files/g)).toHaveLength(1);
  expect(told).toContain('have the others’ version:\\n- index.md\\nYour changes to these files were kept:\\n- new.md');
  expect(await github.comments(1)).toHaveLength(1);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('promise 13: a second conflicting push ends the run with code conflict and keeps the person’s work', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const again = hold(edit('index.md', 'Good day.', 'Good day!'));
  const script = steps([editing.step, finish('Happier.'), again.step, finish('Happier.')]);
  const made = await openPullRequest([script]);
  const { caller, id, branch, github, pushAsRita } = made;
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  await pushAsRita({ 'index.md': '# Acme\n\nGood day.\n' });
  editing.release();
  await again.asked;
  const theirs = await pushAsRita({ 'index.md': '# Acme\n\nHello.\n' });
  again.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'failed' });

  const { runs } = await readRuns(caller, id);
  expect(runs[1]).toMatchObject({
    code: 'conflict',
    commit: null,
    messages: [{ state: 'dropped', reason: 'conflict' }],
  });
  expect(runs[1]?.sentence).toContain('index.md');
  expect((await github.commits(branch))[0]).toBe(theirs);
  expect(await github.file(branch, 'index.md')).toContain('Hello.');
});

test.concurrent('promise 13: a run pushes nothing when a person’s push contains its change', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const made = await openPullRequest([steps([editing.step, finish('Sounds happier.')])]);
  const { caller, id, branch, github, pushAsRita } = made;
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  const theirs = await pushAsRita({ 'index.md': '# Acme\n\nWelcome!\n' });
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });

  expect((await github.commits(branch))[0]).toBe(theirs);
  const comments = await github.comments(1);
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).not.toContain('Commit:');
  const { runs } = await readRuns(caller, id);
  expect(runs[1]).toMatchObject({ code: 'unchanged', commit: null });
});

test.concurrent('deleting the branch closes the pull request and archives the job', async () => {
  const made = await openPullRequest([second]);
  const { caller, id, branch, rita, name } = made;
  await rita.deleteBranch(name, branch);
  expect(await caller.until(id, ({ status }) => status === 'archived')).toMatchObject({ source: { ref: branch } });
  await expect(caller.message(id, 'Happier, please.')).rejects.toThrow('409');
});

test.concurrent('a run does not create a branch again that was deleted while it worked', async () => {
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  // Its own world: the webhooks of all repositories are held.
  await using made = await openConversation({ later: [steps([editing.step, finish('Sounds happier.')])] });
  const { caller, id, branch, github, rita, world, name } = made;
  world.github.deliveries.hold();
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  await rita.deleteBranch(name, branch);
  editing.release();
  expect(await caller.settled(id)).toMatchObject({ status: 'archived' });
  expect(await github.pullRequests()).toHaveLength(1);
  expect(await github.branches()).toEqual([]);
});
