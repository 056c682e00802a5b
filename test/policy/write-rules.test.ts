import { expect, test } from 'vitest';
import { requireAllowedChanges } from '../../src/policy/require-allowed-changes.ts';
import type { PushRestrictions, WriteRules } from '../../src/policy/write-rules.ts';
import { mergeOnto } from '../../src/runs/publish/make-commit.ts';
import { createWorld, details } from '../workspace/world.ts';
import { tryChange } from './try-change.ts';

test.each([
  ['what matches', 'docs/a.md', ['docs/**'], true],
  ['one of several', 'README.md', ['docs/**', '*.md'], true],
  ['nothing else', 'src/a.md', ['docs/**', '*.md'], false],
  ['nothing at all when the list is empty', 'docs/a.md', [], false],
  ['nothing by a glob that cannot be understood', 'docs/a.md', ['{docs/**'], false],
  ['no protected path', 'docs/conf.py', ['docs/**'], false],
])('promise 5: the settings allow %s', async (_, path, allow, isAllowed) => {
  expect((await tryChange({}, path, '1', { allow })) === undefined).toBe(isAllowed);
});

test.each<[string, PushRestrictions, string, number | null, string | undefined]>([
  [
    'a path that is restricted',
    { paths: ['docs/legal/**/*'] },
    'docs/legal/de/terms.md',
    1,
    'forbids changing docs/legal/de/terms.md',
  ],
  ['its removal', { paths: ['docs/legal/**/*'] }, 'docs/legal/terms.md', null, 'forbids changing'],
  ['stars at the end, which are one', { paths: ['/docs/**'] }, 'docs/a.md', 1, 'forbids changing docs/a.md'],
  ['stars at the end, below', { paths: ['docs/**'] }, 'docs/a/b.md', 1, undefined],
  ['a character of any kind', { paths: ['do**/**/?.md'] }, 'docs/a/😀.md', 1, 'forbids changing'],
  ['another path', { paths: ['docs/legal/**/*'] }, 'docs/a.md', 1, undefined],
  ['a pattern that cannot be compiled', { paths: ['docs/[^a].md'] }, 'docs/b.md', 1, undefined],
  ['an extension', { extensions: ['.rst'] }, 'docs/a.RST', 1, 'files that end with .rst'],
  ['an extension without a dot', { extensions: ['rst'] }, 'docs/a.rst', 1, 'files that end with .rst'],
  ['an extension as a pattern', { extensions: ['*.rst'] }, 'docs/a.rst', 1, 'files that end with .rst'],
  ['a removal with that extension', { extensions: ['rst'] }, 'docs/a.rst', null, undefined],
  ['a name that only ends alike', { extensions: ['dx'] }, 'docs/a.mdx', 1, undefined],
  ['an empty extension', { extensions: ['', '.'] }, 'docs/a.md', 1, undefined],
  ['a long path', { maxPathCharacters: 9 }, 'docs/ab.md', 1, 'longer than 9 characters, and docs/ab.md has 10'],
  ['a path that just fits', { maxPathCharacters: 9 }, 'docs/ü.md', 1, undefined],
  ['the removal of a long path', { maxPathCharacters: 9 }, 'docs/ab.md', null, undefined],
  ['a large file', { maxFileBytes: 10 }, 'docs/a.md', 11, 'larger than 10 bytes, and docs/a.md would have 11'],
  ['a file that just fits', { maxFileBytes: 10 }, 'docs/a.md', 10, undefined],
])("promise 5: GitHub's rules and %s", async (_, forbid, path, bytes, says) => {
  const refusal = await tryChange({ [path]: '' }, path, bytes === null ? null : '1'.repeat(bytes), { forbid });
  expect(refusal).toEqual(says === undefined ? undefined : expect.stringContaining(says));
});

const rules: WriteRules = {
  allow: ['docs/**'],
  forbid: { paths: ['docs/legal/*'], extensions: ['rst'], maxPathCharacters: 20, maxFileBytes: 10 },
};
const files = { 'README.md': 'a\n', 'docs/a.md': 'a\n', 'docs/legal/x.md': 'x\n', 'docs/b.rst': 'b\n' };

test('promise 5: a write that the rules forbid is refused and changes nothing', async () => {
  await using world = await createWorld();
  await using workspace = await world.open(files, { rules });
  for (const path of ['README.md', 'docs/legal/x.md', 'docs/b.rst', 'docs/a-name-that-is-long.md']) {
    expect(await workspace.writeFile(path, 'new\n'), path).toMatchObject({ kind: 'refused' });
  }
  expect(await workspace.writeFile('docs/a.md', 'eleven chars')).toMatchObject({ kind: 'refused' });
  expect(await workspace.removeFile('docs/legal/x.md')).toMatchObject({ kind: 'refused' });
  expect(await workspace.moveFiles([{ from: 'docs/a.md', to: 'docs/legal/a.md' }], world.signal)).toMatchObject({
    kind: 'refused',
  });
  expect(workspace.writes()).toEqual(new Map());
  expect(await workspace.writeFile('docs/a.md', 'new\n')).toEqual({ kind: 'written' });
});

test('a file whose move is refused stays, even if the rules forbid creating it', async () => {
  await using world = await createWorld();
  await using workspace = await world.open(files, { rules });
  expect(await workspace.moveFiles([{ from: 'docs/b.rst', to: 'docs/c.rst' }], world.signal)).toMatchObject({
    kind: 'refused',
  });
  expect(await workspace.readFile('docs/b.rst')).toEqual({ kind: 'text', text: 'b\n' });
  expect(workspace.writes()).toEqual(new Map());
});

test('promise 5: an earlier write that the rules now forbid is not applied', async () => {
  await using world = await createWorld();
  const writes = new Map([['docs/legal/x.md', Buffer.from('y\n')]]);
  await expect(world.open(files, { rules, writes })).rejects.toMatchObject({
    reason: 'earlier_write_refused',
    message: expect.stringContaining('a rule of the repository forbids changing docs/legal/x.md'),
  });
});

test.each<[string, Record<string, string>]>([
  ['outside the allowed paths', { ...files, 'README.md': 'b\n' }],
  ['at a restricted path', { ...files, 'docs/legal/x.md': 'y\n' }],
  ['with a restricted extension', { ...files, 'docs/b.rst': 'c\n' }],
  ['with a long path', { ...files, 'docs/a-name-that-is-long.md': 'a\n' }],
  ['that is too large', { ...files, 'docs/a.md': 'eleven chars' }],
])('promise 5: a change %s is stopped at commit and at merge', async (_, changed) => {
  await using world = await createWorld();
  const base = world.addCommit(files);
  const ours = world.addCommit(changed, { branch: 'ours', parent: base });
  const tip = world.addCommit({ ...files, 'docs/theirs.md': 't\n' }, { branch: 'theirs', parent: base });
  await using mirror = await world.fetch({ base: 'ours', branch: 'theirs' });
  const { git, signal } = world;
  const refused = { reason: 'protected_paths' };
  const change = { git, gitDir: mirror.directory, from: base, to: ours, signal };
  await expect(requireAllowedChanges({ ...change, rules })).rejects.toMatchObject(refused);
  await expect(requireAllowedChanges(change)).resolves.toBeUndefined();
  const onto = { git, gitDir: mirror.directory, ours, tip, signal, ...details };
  await expect(mergeOnto({ ...onto, rules })).rejects.toMatchObject(refused);
  await expect(mergeOnto(onto)).resolves.toMatchObject({ kind: 'merged' });
});

test('a change that the rules allow can be committed', async () => {
  await using world = await createWorld();
  const from = world.addCommit(files);
  const { 'docs/b.rst': _removed, ...rest } = files;
  const to = world.addCommit({ ...rest, 'docs/a.md': 'ten chars\n' }, { branch: 'ours', parent: from });
  await using mirror = await world.fetch({ base: 'ours' });
  const change = { git: world.git, gitDir: mirror.directory, from, to, rules, signal: world.signal };
  await expect(requireAllowedChanges(change)).resolves.toBeUndefined();
});
