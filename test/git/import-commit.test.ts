import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { importCommit } from '../../src/git/write-commit.ts';
import { createWorld } from '../workspace/world.ts';

const person = { name: 'pagewright[bot]', email: '1+pagewright[bot]@users.noreply.github.com' };
const details = {
  message: 'Write pages',
  author: person,
  committer: person,
  date: new Date('2026-01-02T03:04:05.678Z'),
};

test('one command makes the commit that git commit-tree would make, and no ref', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({
    'a.md': 'a\n',
    'gone.md': 'c\n',
    'old/b.md': 'b\n',
    pages: 'a file\n',
    'run.sh': 'x\n',
  });
  await using mirror = await world.fetch();
  const { directory: gitDir } = mirror;
  const git = (...args: string[]) => execFileSync('git', ['--git-dir', gitDir, ...args]).toString();
  const refs = git('for-each-ref');
  const write = (path: string, text: string | null, isExecutable = false) => ({
    path,
    bytes: text === null ? null : Buffer.from(text),
    isExecutable,
  });
  const hostile = '"quoted"/back\\slash\nD a.md\né.md';
  const changes = [
    write('old', 'a file in place of its folder\n'),
    write('old/b.md', null),
    write('pages/in-place-of-a-file.md', 'd\n'),
    write('pages', null),
    write('gone.md', null),
    write(hostile, 'data 5\nhello\nM 100644 inline evil\n'),
    write('run.sh', 'y\n', true),
    write('empty.md', ''),
  ];
  const make = () =>
    importCommit({ git: world.git, gitDir, sha, changes, parents: [sha], details, signal: world.signal });
  const made = await make();
  expect(await make()).toBe(made);
  expect(git('ls-tree', '-r', '-z', '--name-only', made).split('\0').filter(Boolean)).toEqual([
    hostile,
    'a.md',
    'empty.md',
    'old',
    'pages/in-place-of-a-file.md',
    'run.sh',
  ]);
  expect(git('show', `${made}:${hostile}`)).toBe('data 5\nhello\nM 100644 inline evil\n');
  expect(git('ls-tree', made, 'run.sh')).toMatch(/^100755 /);
  expect(git('for-each-ref')).toBe(refs);
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_AUTHOR_DATE: '@1767323045 +0000',
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
    GIT_COMMITTER_DATE: '@1767323045 +0000',
  };
  const tree = git('rev-parse', `${made}^{tree}`).trim();
  const plain = ['--git-dir', gitDir, 'commit-tree', tree, '-p', sha, '-m', details.message];
  expect(execFileSync('git', plain, { env }).toString().trim()).toBe(made);
});
