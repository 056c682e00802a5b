import { expect, test } from 'vitest';
import { listChangedPaths } from '../../../src/git/diffs.ts';
import { readGit, runGit } from '../../../src/git/run-git.ts';
import type { WriteRules } from '../../../src/policy/write-rules.ts';
import { mergeOnto } from '../../../src/runs/publish/make-commit.ts';
import { findConflictMarkers } from '../../../src/workspace/merges/conflicts.ts';
import { carriesWorkflows, findMergeConflicts } from '../../../src/workspace/merges/find-merge-conflicts.ts';
import { mergeBaseIn } from '../../../src/workspace/merges/merge-base-in.ts';
import { createWorld, details, type Entry } from '../world.ts';

type Files = Record<string, Entry>;

const branch = 'pagewright/x';
const binary = (byte: number) => new Uint8Array([0, byte]);
const link = (content: string): Entry => ({ mode: '120000', content });
const poem = (line: string) => `${line}\ntwo\nthree\nfour\nfive\n`;

/** A branch and a base that went apart, in a mirror, and what can be done with them. */
async function createDivergence({ ancestor, ours, theirs }: { ancestor: Files; ours: Files; theirs: Files }) {
  const world = await createWorld();
  const start = world.addCommit(ancestor);
  const tip = world.addCommit(ours, { branch, parent: start });
  const base = world.addCommit(theirs, { parent: start });
  const mirror = world.mirrorOf(base, tip);
  const { git, signal } = world;
  const pair = { git, gitDir: mirror.directory, tip, base, signal };
  const show = async (sha: string, path: string) =>
    (await runGit(pair, ['cat-file', 'blob', `${sha}:${path}`])).stdout.toString();
  return {
    world,
    mirror,
    start,
    tip,
    base,
    pair,
    show,
    list: async (sha: string) => (await readGit(pair, ['ls-tree', '-r', '--name-only', sha])).split('\n'),
    parentsOf: async (sha: string) => (await readGit(pair, ['log', '-1', '--format=%P', sha])).split(' '),
    open: (sha: string, rules?: WriteRules) =>
      world.workspaces.open({ runId: 'run_1', mirror, sha, writes: new Map(), rules, signal }),
    commit: { ...details, signal },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
    },
  };
}

const conflicting = {
  ancestor: { 'docs/a.md': poem('one'), 'docs/b.md': 'b\n', 'package.json': '{}\n' },
  ours: { 'docs/a.md': poem('ours'), 'docs/b.md': 'b\n', 'package.json': '{}\n' },
  theirs: { 'docs/a.md': poem('theirs'), 'docs/b.md': 'B\n', 'package.json': '{"a":1}\n', 'docs/c.md': 'c\n' },
};

test.each<[string, Files, Files, object]>([
  ['lines that both changed', { 'a.md': 'x\n' }, { 'a.md': 'y\n' }, { kind: 'conflict', paths: ['a.md'] }],
  ['files that only one of them changed', { 'a.md': 'x\n' }, { 'a.md': 'a\n', 'b.md': 'b\n' }, { kind: 'clean' }],
  [
    'a file where the other has a folder',
    { 'a.md': 'a\n', c: 'c\n' },
    { 'a.md': 'a\n', 'c/d.md': 'd\n' },
    { kind: 'conflict', paths: ['c'] },
  ],
])('the outcome of a merge with %s is predicted', async (_, ours, theirs, outlook) => {
  await using apart = await createDivergence({ ancestor: { 'a.md': 'a\n' }, ours, theirs });
  expect(await findMergeConflicts(apart.pair)).toEqual(outlook);
});

test('a base in the branch is contained, and a base without a common ancestor is unrelated', async () => {
  await using apart = await createDivergence(conflicting);
  expect(await findMergeConflicts({ ...apart.pair, base: apart.start })).toEqual({ kind: 'contained' });
  const stranger = apart.world.addCommit({ 'a.md': 'a\n' }, { branch: 'stranger' });
  expect(await findMergeConflicts({ ...apart.pair, base: stranger })).toEqual({ kind: 'unrelated' });
});

test('carriesWorkflows finds workflow changes of the base, also reverted ones', async () => {
  const workflow = '.github/workflows/ci.yml';
  const files = { 'a.md': 'a\n', [workflow]: 'on: push\n' };
  await using apart = await createDivergence({
    ancestor: files,
    ours: { ...files, 'b.md': 'b\n' },
    theirs: { ...files, 'a.md': 'A\n' },
  });
  expect(await carriesWorkflows(apart.pair)).toBe(false);
  const changed = apart.world.addCommit({ ...files, [workflow]: 'on: [push]\n' }, { parent: apart.base });
  const takenBack = apart.world.addCommit(files, { branch: 'side', parent: changed });
  const tree = `${apart.base}^{tree}`;
  const merged = apart.world.run(['commit-tree', tree, '-p', apart.base, '-p', takenBack, '-m', 'merge']);
  apart.world.run(['update-ref', 'refs/heads/main', merged]);
  expect(await carriesWorkflows({ ...apart.pair, base: changed })).toBe(true);
  expect(await carriesWorkflows({ ...apart.pair, base: merged })).toBe(true);
  expect(await carriesWorkflows({ ...apart.pair, tip: merged, base: takenBack })).toBe(false);
});

test('a merge is deterministic, with markers that name the sides', async () => {
  await using apart = await createDivergence(conflicting);
  const merged = await mergeBaseIn(apart.pair);
  expect(await mergeBaseIn(apart.pair)).toEqual(merged);
  expect(merged.conflicts).toEqual([
    { path: 'docs/a.md', kind: 'content', isProtected: false, note: expect.stringContaining('docs/a.md') },
  ]);
  expect(await apart.parentsOf(merged.sha)).toEqual([apart.tip, apart.base]);
  expect(await apart.show(merged.sha, 'docs/a.md')).toBe(
    `<<<<<<< branch\nours\n=======\ntheirs\n>>>>>>> base\n${poem('').slice(1)}`,
  );
  expect(await apart.show(merged.sha, 'package.json')).toBe('{"a":1}\n');
});

test('a resolved merge is one commit on both sides, with all changes of the base, protected or not', async () => {
  await using apart = await createDivergence(conflicting);
  const { sha, conflicts } = await mergeBaseIn(apart.pair);
  await using workspace = await apart.open(sha);
  const paths = conflicts.map(({ path }) => path);
  expect(await findConflictMarkers(workspace, paths)).toEqual(['docs/a.md']);
  await workspace.writeFile('docs/a.md', poem('both'));
  expect(await findConflictMarkers(workspace, paths)).toEqual([]);
  const parents: [string, string] = [apart.tip, apart.base];
  const commit = await workspace.commit({ ...apart.commit, parents });
  expect(await workspace.commit({ ...apart.commit, parents })).toEqual(commit);
  expect(await apart.parentsOf(commit?.sha ?? '')).toEqual(parents);
  const changedSince = (from: string) => listChangedPaths({ ...apart.pair, from, to: commit?.sha ?? '' });
  expect(await changedSince(sha)).toEqual(['docs/a.md']);
  expect(await changedSince(apart.tip)).toEqual(['docs/a.md', 'docs/b.md', 'docs/c.md', 'package.json']);
});

test('a merge without conflicts can be committed unchanged', async () => {
  await using apart = await createDivergence({ ...conflicting, ours: { ...conflicting.ancestor, 'docs/n.md': 'n\n' } });
  const { sha, conflicts } = await mergeBaseIn(apart.pair);
  expect(conflicts).toEqual([]);
  await using workspace = await apart.open(sha);
  const parents: [string, string] = [apart.tip, apart.base];
  expect(await workspace.commit({ ...apart.commit, parents })).toBeNull();
  const commit = await workspace.commit({ ...apart.commit, parents, allowEmpty: true });
  expect(commit?.changedFiles).toBe(0);
  expect(await apart.parentsOf(commit?.sha ?? '')).toEqual(parents);
});

const two = { 'keep.md': 'keep\n' };

test.each<[string, Files, Files, Files, object[], string[]]>([
  [
    'a file that the base removed',
    { 'a.md': 'a\n' },
    { 'a.md': 'A\n' },
    {},
    [
      {
        path: 'a.md',
        kind: 'other',
        isProtected: false,
        note: "The branch changed a.md and the base removed it; the branch's version is kept.",
      },
    ],
    ['a.md'],
  ],
  [
    'a file that the branch removed',
    { 'a.md': 'a\n' },
    {},
    { 'a.md': 'A\n' },
    [
      {
        path: 'a.md',
        kind: 'other',
        note: "The base changed a.md and the branch removed it; the base's version is kept.",
      },
    ],
    ['a.md'],
  ],
  [
    'a file that is not text',
    { 'a.png': binary(1) },
    { 'a.png': binary(2) },
    { 'a.png': binary(3) },
    [
      {
        path: 'a.png',
        kind: 'other',
        note: expect.stringMatching("cannot be merged line by line; the branch's version"),
      },
    ],
    ['a.png'],
  ],
  [
    'a file in another encoding',
    { 'a.md': Buffer.from('\xe4\n', 'latin1') },
    { 'a.md': Buffer.from('\xf6\n', 'latin1') },
    { 'a.md': Buffer.from('\xfc\n', 'latin1') },
    [{ path: 'a.md', kind: 'other', note: expect.stringMatching("the branch's version is kept") }],
    ['a.md'],
  ],
  [
    'a file that is too long to be edited',
    {},
    { 'a.md': 'ours\n'.repeat(300_000) },
    { 'a.md': 'theirs\n'.repeat(300_000) },
    [{ path: 'a.md', kind: 'other', note: expect.stringMatching("the branch's version is kept") }],
    ['a.md'],
  ],
  [
    'a file that each moved elsewhere',
    { 'a.md': poem('one') },
    { 'b.md': poem('one') },
    { 'c.md': poem('one') },
    [
      { path: 'a.md', kind: 'other', note: expect.stringMatching('each moved a.md .* the path has no file now') },
      { path: 'b.md', kind: 'other', note: expect.stringMatching("The branch has b.md .* the branch's version") },
      { path: 'c.md', kind: 'other', note: expect.stringMatching("The base has c.md .* the base's version") },
    ],
    ['b.md', 'c.md'],
  ],
  [
    'a file that both added',
    {},
    { 'a.md': 'ours\n' },
    { 'a.md': 'theirs\n' },
    [{ path: 'a.md', kind: 'content' }],
    ['a.md'],
  ],
  [
    'a file that one of them moved',
    { 'a.md': poem('one') },
    { 'b.md': poem('ours') },
    { 'a.md': poem('theirs') },
    [{ path: 'b.md', kind: 'content' }],
    ['b.md'],
  ],
  [
    'a file where the other has a folder',
    { README: 'a\n' },
    { README: 'A\n' },
    { 'README/b.md': 'b\n' },
    [
      {
        path: 'README~branch',
        kind: 'other',
        isProtected: false,
        note: expect.stringContaining("the branch's version is kept"),
      },
    ],
    ['README/b.md', 'README~branch'],
  ],
  [
    'a link where the other has a file',
    {},
    { 'a.md': link('keep.md') },
    { 'a.md': 'a\n' },
    [
      { path: 'a.md', kind: 'other', isProtected: true },
      { path: 'a.md~base', kind: 'other', isProtected: false },
    ],
    ['a.md', 'a.md~base'],
  ],
  [
    'a protected file',
    { 'package.json': '{}\n' },
    { 'package.json': '{"a":1}\n' },
    { 'package.json': '{"b":1}\n' },
    [{ path: 'package.json', kind: 'content', isProtected: true }],
    ['package.json'],
  ],
])('the merge of %s matches its note', async (_, ancestor, ours, theirs, conflicts, files) => {
  await using apart = await createDivergence({
    ancestor: { ...two, ...ancestor },
    ours: { ...two, ...ours },
    theirs: { ...two, ...theirs },
  });
  const merged = await mergeBaseIn(apart.pair);
  expect(merged.conflicts).toMatchObject(conflicts);
  expect(merged.conflicts).toHaveLength(conflicts.length);
  expect(await apart.list(merged.sha)).toEqual([...files, 'keep.md'].toSorted());
  for (const { path, note } of merged.conflicts.filter(({ kind }) => kind === 'content')) {
    const lines = (await apart.show(merged.sha, path)).split('\n').map((line) => line.split(':')[0]);
    expect(lines).toEqual(expect.arrayContaining(['<<<<<<< branch', '=======', '>>>>>>> base']));
    expect(note).toContain(path);
  }
});

test('a conflict outside the allowed paths is protected', async () => {
  await using apart = await createDivergence(conflicting);
  const { conflicts } = await mergeBaseIn({ ...apart.pair, rules: { allow: ['guides/**'] } });
  expect(conflicts).toMatchObject([{ path: 'docs/a.md', isProtected: true }]);
});

/** The merge commit of a run, and a person's push that came before it. */
async function solve(apart: Awaited<ReturnType<typeof createDivergence>>) {
  const { sha } = await mergeBaseIn(apart.pair);
  await using workspace = await apart.open(sha);
  await workspace.writeFile('docs/a.md', poem('both'));
  return (await workspace.commit({ ...apart.commit, parents: [apart.tip, apart.base] }))?.sha ?? '';
}

test('promise 13: a merge on top of the push of a person keeps the base as its second parent', async () => {
  await using apart = await createDivergence(conflicting);
  const ours = await solve(apart);
  const tip = apart.world.addCommit({ ...conflicting.ours, 'docs/p.md': 'p\n' }, { branch, parent: apart.tip });
  await using _fetched = await apart.world.fetch({ branch });
  const onto = { ...apart.pair, ours, tip, mergedBase: apart.base, ...details };
  const merged = await mergeOnto(onto);
  expect(await mergeOnto(onto)).toEqual(merged);
  const sha = merged.kind === 'merged' ? merged.sha : '';
  expect(await apart.parentsOf(sha)).toEqual([tip, apart.base]);
  expect(await apart.list(sha)).toEqual(['docs/a.md', 'docs/b.md', 'docs/c.md', 'docs/p.md', 'package.json']);
  expect(await apart.show(sha, 'docs/a.md')).toBe(poem('both'));
  // Without knowing of the base, what it brought would be ours.
  await expect(mergeOnto({ ...onto, mergedBase: undefined })).rejects.toMatchObject({ reason: 'protected_paths' });
});

test('promise 5: a merge has no protected change that is not from the base', async () => {
  await using apart = await createDivergence(conflicting);
  const ours = apart.world.addCommit(
    { ...conflicting.theirs, 'docs/a.md': poem('both'), 'package.json': '{"a":1,"evil":1}\n' },
    { branch: 'evil', parent: apart.tip },
  );
  const tip = apart.world.addCommit({ ...conflicting.ours, 'docs/p.md': 'p\n' }, { branch, parent: apart.tip });
  await using _fetched = await apart.world.fetch({ branch, base: 'evil' });
  await expect(mergeOnto({ ...apart.pair, ours, tip, mergedBase: apart.base, ...details })).rejects.toMatchObject({
    reason: 'protected_paths',
    message: expect.stringContaining('protected paths: package.json'),
  });
});

test('a merge becomes an ordinary commit, or empty, when a person merged the base', async () => {
  await using apart = await createDivergence(conflicting);
  const ours = await solve(apart);
  const options = { gitDir: apart.mirror.directory, signal: apart.pair.signal };
  const env = { GIT_AUTHOR_NAME: 'p', GIT_AUTHOR_EMAIL: 'p@x', GIT_COMMITTER_NAME: 'p', GIT_COMMITTER_EMAIL: 'p@x' };
  const args = ['commit-tree', `${ours}^{tree}`, '-p', apart.tip, '-p', apart.base, '-m', 'theirs'];
  const tip = (await apart.world.git(args, { ...options, env })).stdout.toString().trim();
  expect(await mergeOnto({ ...apart.pair, ours, tip, mergedBase: apart.base, ...details })).toEqual({ kind: 'empty' });
});
