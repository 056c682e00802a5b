import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findMergeBase } from '../../src/git/commits.ts';
import { readFileDiffs } from '../../src/git/diffs.ts';
import { createWorld } from '../workspace/world.ts';

async function prepare(world: Awaited<ReturnType<typeof createWorld>>) {
  const before = {
    'edited.md': 'one\ntwo\nthree\n',
    'gone.md': 'gone\n',
    'old name.md': 'a\nb\nc\nd\ne\n',
    'picture.png': '\0\u0001one',
    'ünï"cödé.md': 'x\n',
  };
  const from = world.addCommit(before);
  const to = world.addCommit(
    {
      'edited.md': 'one\nTWO\nthree',
      'new/added.md': '--- a\n+++ b\ndiff --git a/x b/x\n',
      'new name.md': 'a\nb\nc\nd\nE\n',
      'picture.png': '\0\u0001two',
      'ünï"cödé.md': 'y\n',
      'empty.md': '',
    },
    { parent: from },
  );
  await using mirror = await world.fetch();
  return { from, to, place: { git: world.git, gitDir: mirror.directory, signal: world.signal } };
}

test('a change that was read is known without another look', async () => {
  await using world = await createWorld();
  const { from, to, place } = await prepare(world);
  const known = await readFileDiffs({ ...place, from, to, maxBytes: 100_000 });
  await rm(place.gitDir, { recursive: true });
  expect(await readFileDiffs({ ...place, from, to, maxBytes: 100_000 })).toEqual(known);
});

test('a change is read file by file, as GitHub shows it', async () => {
  await using world = await createWorld();
  const { from, to, place } = await prepare(world);
  const rest = { previousPath: null, status: 'modified' };
  expect(await readFileDiffs({ ...place, from, to, maxBytes: 100_000 })).toEqual([
    {
      ...rest,
      path: 'edited.md',
      additions: 2,
      deletions: 2,
      patch: '@@ -1,3 +1,3 @@\n one\n-two\n-three\n+TWO\n+three\n\\ No newline at end of file',
    },
    { ...rest, path: 'empty.md', status: 'added', additions: 0, deletions: 0, patch: null },
    { ...rest, path: 'gone.md', status: 'removed', additions: 0, deletions: 1, patch: '@@ -1 +0,0 @@\n-gone' },
    {
      path: 'new name.md',
      previousPath: 'old name.md',
      status: 'renamed',
      additions: 1,
      deletions: 1,
      patch: '@@ -2,4 +2,4 @@ a\n b\n c\n d\n-e\n+E',
    },
    {
      ...rest,
      path: 'new/added.md',
      status: 'added',
      additions: 3,
      deletions: 0,
      patch: '@@ -0,0 +1,3 @@\n+--- a\n++++ b\n+diff --git a/x b/x',
    },
    { ...rest, path: 'picture.png', additions: 0, deletions: 0, patch: null },
    { ...rest, path: 'ünï"cödé.md', additions: 1, deletions: 1, patch: '@@ -1 +1 @@\n-x\n+y' },
  ]);
});

test('patches beyond the limit are left out, and no patch is cut', async () => {
  await using world = await createWorld();
  const from = world.addCommit({ 'a.md': 'a\n', 'b.md': 'b\n' });
  const to = world.addCommit({ 'a.md': 'A\n', 'b.md': 'ü'.repeat(5_000) }, { parent: from });
  await using mirror = await world.fetch();
  const place = { git: world.git, gitDir: mirror.directory, signal: world.signal };
  const files = await readFileDiffs({ ...place, from, to, maxBytes: 1_001 });
  expect(files.map(({ patch }) => patch)).toEqual(['@@ -1 +1 @@\n-a\n+A', null]);
});

test('commits that the repository does not have have no merge base', async () => {
  await using world = await createWorld();
  const { from, to, place } = await prepare(world);
  expect(await findMergeBase({ ...place, commits: [from, to] })).toBe(from);
  expect(await findMergeBase({ ...place, commits: ['f'.repeat(40), to] })).toBeUndefined();
});
