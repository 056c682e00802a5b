import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { call, edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

const limit = (text: string) => `# Limits\n\n${text} per minute.\n`;
const correct = edit('limits.md', '60 requests', '100 requests');
const oneRun = steps([correct, finish('The limit is 100 now.', { title: 'Correct the limit' })]);
const cheer = edit('index.md', 'Welcome.', 'Welcome!');
const solve = write('limits.md', limit('100 calls'));

let shop: Workshop;
beforeAll(async () => {
  // Its mirror lacks the files of old commits: merges need more of them than other runs.
  shop = await openWorkshop({ kilobytes: 100_000 });
});
afterAll(() => shop[Symbol.asyncDispose]());

const findJob = (jobId: string) =>
  shop.world.database.database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();

/** A job on a base of its own. Its pull request is there when the second of its runs is asked for. */
async function createOn(base: string, scripts: readonly Script[], prompt = `On ${base}.`) {
  const { rita, name, github } = shop;
  const moveBase = (files: Record<string, string | null>) => rita.pushCommit(name, base, files, `Move ${base}`);
  await moveBase({ 'base.md': `${base}\n` });
  const job = await shop.create(prompt, scripts, { ref: base });
  return {
    ...job,
    moveBase,
    pushToBranch: async (files: Record<string, string>) =>
      rita.pushCommit(name, (await shop.caller.get(job.id)).source.ref, files, 'A change of a person'),
    parentsOf: async (sha: string | null | undefined) => (await github.git('rev-parse', `${sha}^@`)).split('\n'),
    async ask(text: string) {
      await job.message(text);
      return job.settled();
    },
  };
}

test.concurrent('a pull request that conflicts with its base is mergeable after the next run, for any instruction', async () => {
  const job = await createOn('moved', [
    oneRun,
    steps([cheer, finish('Happier.'), solve, finish('Happier, and the limit is 100 calls.')]),
  ]);
  const { source } = await job.settled();
  const base = await job.moveBase({ 'limits.md': limit('60 calls'), 'other.md': 'Other.\n' });
  const number = await job.number();
  expect((await shop.github.pullRequest(number)).mergeable).toBe(false);
  expect(await job.ask('Happier, please.')).toMatchObject({ status: 'completed' });

  const [first, second] = await job.runs();
  expect(second).toMatchObject({
    code: 'published',
    sentence: '2 changed files, with moved merged in, were published in the pull request.',
  });
  expect(await job.parentsOf(second?.commit)).toEqual([first?.commit, base]);
  expect((await shop.github.pullRequest(number)).mergeable).toBe(true);
  expect(await shop.github.file(source.ref, 'limits.md')).toContain('100 calls');
  expect(await shop.github.file(source.ref, 'index.md')).toContain('Welcome!');
  expect(await shop.github.file(source.ref, 'other.md')).toBe('Other.');
  const { environment, repository } = shop.world;
  const mirror = join(environment.DATA_DIR ?? '', 'mirrors', `${repository.id}.git`);
  expect(existsSync(join(mirror, 'pagewright-blobless'))).toBe(true);
  const told = job.asked().at(-1) ?? '';
  expect(told).toContain('The branch moved has moved, and this pull request no longer merges into it.');
  expect(told).toContain('not finished yet; solve this first, then call finish again');
  expect(await shop.github.comments(number)).toHaveLength(1);
});

test.concurrent('conflicts that the agent leaves in the files end the run, and nothing is pushed', async () => {
  const nothing = finish('All done.');
  const job = await createOn('unsolved', [oneRun, steps([cheer, nothing, nothing, nothing])]);
  const { source } = await job.settled();
  await job.moveBase({ 'limits.md': limit('60 calls') });
  expect(await job.ask('Resolve the conflicts.')).toMatchObject({ status: 'failed' });
  const [first, second] = await job.runs();
  expect(second).toMatchObject({ code: 'conflict', commit: null, turns: 4 });
  expect(await shop.github.commits(source.ref, 'unsolved')).toEqual([first?.commit]);
  const comments = await shop.github.comments(await job.number());
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toContain('The agent did not resolve the conflicts with the base branch in limits.md');
});

test.concurrent('a moved file with conflict markers is not published', async () => {
  const moved = call('move_file', { from: 'limits.md', to: 'quota.md' });
  const nothing = finish('Moved.');
  const job = await createOn('renamed', [oneRun, steps([moved, nothing, nothing, nothing])]);
  const { source } = await job.settled();
  await job.moveBase({ 'limits.md': limit('60 calls') });
  expect(await job.ask('Rename limits to quota.')).toMatchObject({ status: 'failed' });
  const [first, second] = await job.runs();
  expect(second).toMatchObject({ code: 'conflict', commit: null });
  expect(second?.sentence).toContain('did not resolve the conflicts with the base branch in quota.md');
  expect(await shop.github.commits(source.ref, 'renamed')).toEqual([first?.commit]);
});

test.concurrent('a file that the base removed and the branch changed is reported to the agent once, and to people if it remains', async () => {
  const job = await createOn('removed', [oneRun, steps([cheer, finish('Happier.'), finish('Happier, limits kept.')])]);
  const { source } = await job.settled();
  await job.moveBase({ 'limits.md': null });
  expect(await job.ask('Happier, please.')).toMatchObject({ status: 'completed' });
  const [, second] = await job.runs();
  expect(second).toMatchObject({ code: 'published', turns: 3 });
  const note = "The branch changed limits.md and the base removed it; the branch's version is kept.";
  expect(second?.warnings).toEqual([expect.stringContaining(note)]);
  expect(job.asked().at(-1)).toContain(`not finished yet; solve this first, then call finish again:\\n${note}`);
  const [comment] = await shop.github.comments(await job.number());
  expect(comment?.body).toContain('**Note:** The branch changed limits.md and the base removed it;');
  expect(await shop.github.file(source.ref, 'limits.md')).toContain('100 requests');
});

test.concurrent('a warning from before the run was sent back is dropped when the agent resolves it', async () => {
  const cheering = hold(cheer);
  const remove = call('delete_file', { path: 'limits.md' });
  const again = [edit('index.md', 'Good day.', 'Good day!'), remove, finish('Happier, and no limits.')];
  const job = await createOn('removed-late', [
    oneRun,
    steps([cheering.step, finish('Happier.'), finish('Happier.'), ...again]),
  ]);
  await job.settled();
  await job.moveBase({ 'limits.md': null });
  await job.message('Happier, please.');
  await cheering.asked;
  await job.pushToBranch({ 'index.md': '# Acme\n\nGood day.\n' });
  cheering.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [, second] = await job.runs();
  expect(second).toMatchObject({ code: 'published', turns: 6, warnings: [] });
  const [comment] = await shop.github.comments(await job.number());
  expect(comment?.body).not.toContain('Note:');
});

test.concurrent('a run publishes when its pull request is retargeted and the old base deleted', async () => {
  const { rita, name } = shop;
  const cheering = hold(cheer);
  const job = await createOn('stacked', [oneRun, steps([cheering.step, finish('Happier.')])]);
  const { source } = await job.settled();
  const number = await job.number();
  await job.message('Happier, please.');
  await cheering.asked;
  await rita.editPullRequest(name, number, { base: 'main' });
  await rita.deleteBranch(name, 'stacked');
  const theirs = await job.pushToBranch({ 'theirs.md': 'Theirs.\n' });
  await eventually(async () => (await findJob(job.id)).base === 'main' || undefined);
  cheering.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [, second] = await job.runs();
  expect(second?.code).toBe('published');
  expect(await job.parentsOf(second?.commit)).toEqual([theirs]);
  expect(await shop.github.file(source.ref, 'index.md')).toContain('Welcome!');
});

test.concurrent('a run merges the new base when its pull request is retargeted and conflicts', async () => {
  const { rita, name } = shop;
  const cheering = hold(cheer);
  const job = await createOn('left', [
    oneRun,
    steps([cheering.step, finish('Happier.'), solve, finish('Happier, and 100 calls.')]),
  ]);
  const number = await job.number();
  await job.message('Happier, please.');
  await cheering.asked;
  const other = await rita.pushCommit(name, 'taken', { 'limits.md': limit('60 calls') }, 'Another base');
  await rita.editPullRequest(name, number, { base: 'taken' });
  await eventually(async () => (await findJob(job.id)).base === 'taken' || undefined);
  cheering.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [first, second] = await job.runs();
  expect(second?.sentence).toContain('with taken merged in');
  expect(await job.parentsOf(second?.commit)).toEqual([first?.commit, other]);
  expect((await shop.github.pullRequest(number)).mergeable).toBe(true);
});

test.concurrent('a base that moves during a run sends it back once, with the base merged and others’ work kept', async () => {
  const cheering = hold(cheer);
  const job = await createOn('moving', [
    oneRun,
    steps([
      cheering.step,
      finish('Happier.'),
      solve,
      edit('index.md', 'Good day.', 'Good day!'),
      finish('Happier, and 100 calls.'),
    ]),
  ]);
  const { source } = await job.settled();
  await job.message('Happier, please.');
  await cheering.asked;
  const base = await job.moveBase({ 'limits.md': limit('60 calls'), 'other.md': 'Other.\n' });
  // What fits neither.
  const theirs = await job.pushToBranch({ 'index.md': '# Acme\n\nGood day.\n' });
  cheering.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });

  const [, second] = await job.runs();
  expect(await job.parentsOf(second?.commit)).toEqual([theirs, base]);
  expect((await shop.github.pullRequest(await job.number())).mergeable).toBe(true);
  for (const [path, text] of [
    ['limits.md', '100 calls'],
    ['index.md', 'Good day!'],
    ['other.md', 'Other.'],
  ] as const)
    expect(await shop.github.file(source.ref, path)).toContain(text);
  expect(job.asked()).toHaveLength(2 + 5);
});

test.concurrent('a base that moves after the run was sent back causes a warning', async () => {
  const cheering = hold(cheer);
  const again = hold(edit('index.md', 'Good day.', 'Good day!'));
  const job = await createOn('late', [
    oneRun,
    steps([cheering.step, finish('Happier.'), again.step, finish('Happier, on top of yours.')]),
  ]);
  await job.settled();
  await job.message('Happier, please.');
  await cheering.asked;
  const theirs = await job.pushToBranch({ 'index.md': '# Acme\n\nGood day.\n' });
  cheering.release();
  await again.asked;
  await job.moveBase({ 'limits.md': limit('60 calls') });
  again.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [, second] = await job.runs();
  expect(await job.parentsOf(second?.commit)).toEqual([theirs]);
  expect(second?.warnings).toEqual([expect.stringContaining('late keeps changing limits.md')]);
});

test.concurrent('a base that moves during the first run becomes the start of the branch', async () => {
  const correcting = hold(correct);
  const job = await createOn('early', [
    steps([correcting.step, finish('It is 100.'), solve, finish('It is 100 calls.')]),
  ]);
  await correcting.asked;
  const base = await job.moveBase({ 'limits.md': limit('60 calls') });
  correcting.release();
  const { source } = await job.settled();
  const [run] = await job.runs();
  expect(await job.parentsOf(run?.commit)).toEqual([base]);
  expect(await shop.github.file(source.ref, 'limits.md')).toContain('100 calls');
});

test.concurrent('a person’s push during a merge run is kept below the merge', async () => {
  const solving = hold(solve);
  const job = await createOn('both', [oneRun, steps([solving.step, finish('Solved.')])]);
  await job.settled();
  const base = await job.moveBase({ 'limits.md': limit('60 calls') });
  await job.message('Resolve the conflicts.');
  await solving.asked;
  const theirs = await job.pushToBranch({ 'theirs.md': 'Theirs.\n' });
  solving.release();
  expect(await job.settled()).toMatchObject({ status: 'completed' });
  const [, second] = await job.runs();
  expect(await job.parentsOf(second?.commit)).toEqual([theirs, base]);
  expect((await shop.github.pullRequest(await job.number())).mergeable).toBe(true);
});

test.concurrent.each([
  {
    base: 'workflows',
    theirs: { '.github/workflows/ci.yml': 'on: push\n' },
    why: 'the base changed workflows, which an App without that permission may not push',
  },
  { base: 'signatures', rule: 'required_signatures', why: 'GitHub does not sign merges of an App' },
  { base: 'linear', rule: 'required_linear_history', why: 'a rule of the repository allows no merge commits' },
  {
    base: 'protected',
    ours: { 'package.json': '{}\n' },
    theirs: { 'package.json': '[]\n' },
    why: 'only a person may change package.json',
  },
])(
  'a base that cannot be merged ($base) causes a warning, and the rest is published',
  async ({ base, rule, ours, theirs, why }) => {
    const prompt = `Blocked by ${base}.`;
    const job = await createOn(base, [oneRun, steps([cheer, finish('Happier; a person has to merge.')])], prompt);
    const { source } = await job.settled();
    if (rule) shop.world.github.setRules(shop.name, source.ref, [{ type: rule }]);
    if (ours) await job.pushToBranch(ours);
    await job.moveBase({ 'limits.md': limit('60 calls'), ...theirs });
    expect(await job.ask('Happier, please.')).toMatchObject({ status: 'completed' });

    const [, second] = await job.runs();
    expect(second?.code).toBe('published');
    expect(await job.parentsOf(second?.commit)).toHaveLength(1);
    expect(await shop.github.file(source.ref, 'index.md')).toContain('Welcome!');
    expect(job.asked().at(-1)).toContain('cannot be resolved here, because');
    expect(job.asked().at(-1)).toContain(why);
    const [comment] = await shop.github.comments(await job.number());
    expect(comment?.body).toContain(`**Note:** The pull request cannot be merged into ${base} as it is`);
    expect(comment?.body).toContain(why);
  },
);

test('the next run opens a pull request that GitHub refused, and comments its warnings', async () => {
  const body = { message: 'Validation Failed', errors: [{ message: 'Pull requests are disabled' }] };
  shop.world.github.inject({ method: 'POST', path: /\/pulls$/, kind: 'answer', status: 422, body });
  const job = await createOn('refused', [oneRun, steps([cheer, finish('Happier.'), finish('Happier.')])]);
  expect(await job.settled()).toMatchObject({ status: 'failed', prLink: null });
  const [first] = await job.runs();
  expect(first?.effects).toContainEqual(
    expect.objectContaining({ key: `${first?.id}:pull-request`, state: 'refused' }),
  );
  await job.moveBase({ 'limits.md': null });
  expect(await job.ask('Happier, please.')).toMatchObject({ status: 'completed' });
  const comments = await shop.github.comments(await job.number());
  expect(comments.map((comment) => comment.body)).toEqual([
    expect.stringContaining('**Note:** The branch changed limits.md and the base removed it;'),
  ]);
});
