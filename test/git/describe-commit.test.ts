import { expect, test } from 'vitest';
import { findCommitByTrailer } from '../../src/git/commits.ts';
import { describeCommit } from '../../src/runs/publish/sign-commit.ts';
import { createWorld, type Entry } from '../workspace/world.ts';

async function describe(before: Record<string, Entry>, after: Record<string, Entry>) {
  await using world = await createWorld();
  const from = world.addCommit(before);
  const to = world.addCommit(after, { parent: from });
  return await describeCommit({ git: world.git, gitDir: world.bare, from, to, signal: world.signal });
}

test('a described commit has the exact bytes of its additions, and its deletions', async () => {
  const binary = new Uint8Array([0, 255, 10]);
  const described = await describe(
    { 'keep.md': 'k\n', 'edit.md': 'a\r\n', 'drop.md': 'd\n', 'old/name.md': 'a text\nthat moves\n' },
    { 'keep.md': 'k\n', 'edit.md': 'b\r\n', 'new/name.md': 'a text\nthat moves\n', 'ü.png': binary, 'empty.md': '' },
  );
  expect(described).toEqual({
    additions: [
      { path: 'edit.md', content: Buffer.from('b\r\n') },
      { path: 'empty.md', content: Buffer.from('') },
      { path: 'new/name.md', content: Buffer.from('a text\nthat moves\n') },
      { path: 'ü.png', content: Buffer.from(binary) },
    ],
    deletions: ['drop.md', 'old/name.md'],
    unsupported: [],
  });
});

const plain = { mode: '100644', content: 'x\n' };
const executable = { mode: '100755', content: 'x\n' };
const link = { mode: '120000', content: 'keep.md' };

test.each<[string, Entry | undefined, Entry | undefined, string | undefined]>([
  ['a new executable', undefined, executable, 'it is executable'],
  ['a change of an executable', executable, { ...executable, content: 'y\n' }, 'it is executable'],
  ['a file that becomes executable', plain, executable, 'it is executable'],
  ['a file that is no longer executable', executable, plain, 'it is executable'],
  ['the deletion of an executable', executable, undefined, undefined],
  ['a new link', undefined, link, 'it is a symbolic link'],
  ['the deletion of a link', link, undefined, 'it is a symbolic link'],
  ['a file that becomes a link', plain, link, 'it is a symbolic link'],
])('describeCommit finds whether the API supports %s', async (_, before, after, reason) => {
  const { unsupported, deletions } = await describe(
    { 'keep.md': 'k\n', ...(before && { 'a.md': before }) },
    { 'keep.md': 'k\n', ...(after && { 'a.md': after }) },
  );
  expect(unsupported).toEqual(reason === undefined ? [] : [{ path: 'a.md', reason }]);
  expect(deletions).toEqual(reason === undefined ? ['a.md'] : []);
});

test('the API does not support a submodule', async () => {
  const { unsupported } = await describe(
    { 'keep.md': 'k\n' },
    { 'keep.md': 'k\n', sub: { mode: '160000', sha: '1'.repeat(40) } },
  );
  expect(unsupported).toEqual([{ path: 'sub', reason: 'it is a submodule' }]);
});

test("a run's commit is found by its trailer, not by the same line in the body", async () => {
  await using world = await createWorld();
  const tree = world.run(['mktree'], '');
  const commit = (message: string, parent?: string) =>
    world.run(['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-m', message]);
  const trailer = 'Pagewright-Run: run_1';
  const start = commit('Start');
  const quoted = commit(`Quote\n\n${trailer}\nis what it says\n\nSigned-off-by: A <a@example.com>`, start);
  const other = commit('Other\n\nPagewright-Run: run_12', quoted);
  const ours = commit(`Update\n\nWhy.\n\nCo-authored-by: A <a@example.com>\n${trailer}`, other);
  const picked = commit(`Update\n\nWhy.\n\n${trailer}\n(cherry picked from commit 1234567)`, ours);
  const find = (from: string | null, tip: string) =>
    findCommitByTrailer({ git: world.git, gitDir: world.bare, from, tip, trailer, signal: world.signal });
  expect(await find(start, picked)).toBe(ours);
  expect(await find(null, picked)).toBe(ours);
  expect(await find(start, other)).toBeNull();
  expect(await find(ours, ours)).toBeNull();
});
