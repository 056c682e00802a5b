import { expect, test } from 'vitest';
import { listChangedPaths } from '../../src/git/diffs.ts';
import { pushBranch } from '../../src/git/push-branch.ts';
import { readTip } from '../../src/git/remote.ts';
import { mergeOnto } from '../../src/runs/publish/make-commit.ts';
import { createWorld, details, type Entry, token } from '../workspace/world.ts';

type World = Awaited<ReturnType<typeof createWorld>>;

/** A commit that changes docs/a.md, and functions to publish it. */
async function prepare(world: World) {
  const workspace = await world.open({ 'docs/a.md': 'one\ntwo\nthree\n', 'docs/b.md': 'b\n' }, { isFetched: true });
  await workspace.writeFile('docs/a.md', 'ONE\ntwo\nthree\n');
  const commit = await workspace.commit({ ...details, signal: world.signal });
  const { mirror, sha: base } = workspace;
  const { git, url, signal } = world;
  const at = { git, gitDir: mirror.directory, signal };
  const ours = commit?.sha ?? '';
  const branch = 'pagewright/x';
  const push = (overrides: { sha?: string; expected?: string | null } = {}) =>
    pushBranch({ ...at, url, token, sha: ours, branch, expected: null, ...overrides });
  const tip = () => readTip({ git, url, token, branch, signal });
  const merge = async (theirs: string) => {
    await using _fetched = await world.fetch({ branch });
    return await mergeOnto({ ...at, ours, tip: theirs, ...details });
  };
  return { at, base, ours, push, tip, merge };
}

test('a push creates the branch, and a repeated push changes nothing', async () => {
  await using world = await createWorld();
  const { push, tip, ours } = await prepare(world);
  expect(await tip()).toBeNull();
  expect(await push()).toEqual({ kind: 'pushed' });
  expect(await push()).toEqual({ kind: 'pushed' });
  expect(await tip()).toBe(ours);
});

test('promise 13: a push does not change a branch that was moved, created or deleted meanwhile', async () => {
  await using world = await createWorld();
  const { push, tip, base, ours } = await prepare(world);
  expect(await push({ expected: base })).toEqual({ kind: 'moved', tip: null });
  const theirs = world.addCommit({ 'docs/a.md': 'theirs\n' }, { branch: 'pagewright/x', parent: base });
  expect(await push()).toEqual({ kind: 'moved', tip: theirs });
  expect(await push({ expected: base })).toEqual({ kind: 'moved', tip: theirs });
  expect(await tip()).toBe(theirs);
  expect(ours).not.toBe(theirs);
});

test('promise 13: a push that would rewind the branch is not sent', async () => {
  await using world = await createWorld();
  const { push, tip, base } = await prepare(world);
  const theirs = world.addCommit({ 'docs/a.md': 'theirs\n' }, { branch: 'pagewright/x', parent: base });
  await using _fetched = await world.fetch({ branch: 'pagewright/x' });
  await expect(push({ expected: theirs })).rejects.toThrow('would overwrite commits');
  expect(await tip()).toBe(theirs);
});

test("a push that a hook declines is refused with the hook's message", async () => {
  await using world = await createWorld();
  const { push } = await prepare(world);
  world.addHook('pre-receive', 'echo "error: GH013: Repository rule violations found" >&2; exit 1');
  expect(await push()).toEqual({
    kind: 'refused',
    reason: expect.stringContaining('GH013: Repository rule violations found'),
  });
});

test('a push without an answer counts as pushed when the branch has the commit', async () => {
  await using world = await createWorld();
  const { push, tip, ours } = await prepare(world);
  world.server.loseAnswerTo(/git-receive-pack$/);
  expect(await push()).toEqual({ kind: 'pushed' });
  expect(await tip()).toBe(ours);
});

test('a push to a missing repository ends the run; a refused or failed push may succeed later', async () => {
  await using world = await createWorld();
  const { push } = await prepare(world);
  for (const [status, name] of [
    [401, 'Error'],
    [403, 'Error'],
    [502, 'RemoteUnavailable'],
  ] as const) {
    world.server.answerWith(status, /receive-pack/);
    await expect(push()).rejects.toMatchObject({
      name,
      message: expect.stringMatching(`could not push branch pagewright/x .*${status}`),
    });
  }
  world.server.answerWith(404, /.*/);
  await expect(push()).rejects.toMatchObject({ reason: 'repository_gone' });
});

test.each([
  ['for the refs', /info\/refs/],
  ['for the push', /receive-pack/],
])('promise 21: a rate limit on the request %s is reported and parks the run', async (_name, matches) => {
  await using world = await createWorld();
  const { push } = await prepare(world);
  world.server.answerWith(429, matches);
  const until = new Date(Date.now() + 3600_000);
  const reported: string[] = [];
  world.git.onLimited = async (limit) => {
    reported.push(limit.token);
    return until;
  };
  await expect(push()).rejects.toMatchObject({ name: 'Parked', until });
  expect(reported).toEqual([token]);
});

test('promise 4: no git error contains the token', async () => {
  await using world = await createWorld();
  const { push } = await prepare(world);
  world.server.answerWith(502, /receive-pack/);
  const error: unknown = await push().catch((thrown: unknown) => thrown);
  const cause = error instanceof Error ? error.cause : undefined;
  const text = JSON.stringify([error, cause, String(error), String(cause)]);
  expect(text).toContain('GitError');
  expect(text).not.toContain(token);
  expect(text).not.toContain(Buffer.from(`x-access-token:${token}`).toString('base64'));
});

test('promise 13: the change is rebased onto a push that came meanwhile', async () => {
  await using world = await createWorld();
  const { merge, push, base, at } = await prepare(world);
  const theirs = world.addCommit(
    { 'docs/a.md': 'one\ntwo\nTHREE\n', 'docs/b.md': 'b\n', '.github/workflows/x.yml': 'theirs' },
    { branch: 'pagewright/x', parent: base },
  );
  const merged = await merge(theirs);
  expect(await merge(theirs)).toEqual(merged);
  const sha = merged.kind === 'merged' ? merged.sha : '';
  expect(await listChangedPaths({ ...at, from: theirs, to: sha })).toEqual(['docs/a.md']);
  expect(await push({ sha, expected: theirs })).toEqual({ kind: 'pushed' });
  expect(world.run(['log', '--format=%P', '-1', sha])).toBe(theirs);
  expect(world.run(['show', `${sha}:docs/a.md`])).toBe('ONE\ntwo\nTHREE');
});

const link: Entry = { mode: '120000', content: '/etc/passwd' };
const conflict = { kind: 'conflict', paths: ['docs/a.md'] };

test.each<[string, Record<string, Entry>, object]>([
  ['the same lines is a conflict', { 'docs/a.md': 'UNO\ntwo\nthree\n' }, conflict],
  ['a link is a conflict', { 'docs/a.md': link, 'docs/b.md': 'b\n' }, { kind: 'conflict', paths: expect.anything() }],
  ['what the branch already has is empty', { 'docs/a.md': 'ONE\ntwo\nthree\n', 'docs/b.md': 'b\n' }, { kind: 'empty' }],
])('promise 5: a change merged onto %s', async (_name, entries, outcome) => {
  await using world = await createWorld();
  const { merge, base } = await prepare(world);
  const theirs = world.addCommit(entries, { branch: 'pagewright/x', parent: base });
  expect(await merge(theirs)).toEqual(outcome);
});

test('a branch replaced by another history is a conflict', async () => {
  await using world = await createWorld();
  const { merge } = await prepare(world);
  const theirs = world.addCommit({ 'docs/a.md': 'new start\n' }, { branch: 'pagewright/x' });
  expect(await merge(theirs)).toEqual(conflict);
});
