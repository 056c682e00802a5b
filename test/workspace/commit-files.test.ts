import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProcess } from '../../harness/processes/start-programs.ts';
import { createGit } from '../../src/git/git.ts';
import { openCommitFiles, prefixFiles } from '../../src/workspace/commit-files.ts';
import { createBareRepository, encodeTree } from '../support/git/write-repository.ts';

const gitDir = mkdtempSync(join(tmpdir(), 'pagewright-commit-files-'));
afterAll(() => rm(gitDir, { recursive: true, force: true }));
const git = createGit({ allowHttp: true, runProcess });
const { signal } = new AbortController();

const { writeObject } = createBareRepository(gitDir);
const blob = (text: string | Uint8Array) => writeObject('blob', text);
const inSource = encodeTree([
  { mode: '100644', name: 'limit.ts', sha: blob('export const limit = 100;\n') },
  { mode: '100644', name: 'picture.ts', sha: blob(Uint8Array.of(0, 1, 2)) },
]);
const root = encodeTree([
  { mode: '100644', name: '.env', sha: blob('LIMIT=1\n') },
  { mode: '120000', name: 'link', sha: blob('/etc/passwd') },
  { mode: '160000', name: 'module', sha: 'a'.repeat(40) },
  { mode: '100644', name: 'readme.md', sha: blob('The limit.\n') },
  { mode: '40000', name: 'src', sha: writeObject('tree', inSource) },
]);
const author = 'A <a@example.com> 1700000000 +0000';
const sha = writeObject(
  'commit',
  `tree ${writeObject('tree', root)}\nauthor ${author}\ncommitter ${author}\n\nFirst\n`,
);
const open = (paths: string[] | null = null) =>
  openCommitFiles({ git, gitDir, sha, paths, findSecrets: async () => [], signal });

test('a commit is read without a checkout: its files, and neither links, submodules nor secrets', async () => {
  const files = await open();
  expect(files.listFiles()).toEqual(['readme.md', 'src/limit.ts', 'src/picture.ts']);
  expect(await files.readFile('src/limit.ts')).toEqual({ kind: 'text', text: 'export const limit = 100;\n' });
  expect(await files.readFile('src/none.ts')).toEqual({ kind: 'missing' });
  expect(await files.readFile('src/picture.ts')).toEqual({ kind: 'binary', bytes: 3 });
  for (const path of ['link', 'link/passwd', 'module', 'module/x', '.env', 'src', '../x', '/etc/passwd', '.git/config'])
    expect(await files.readFile(path), path).toMatchObject({ kind: 'refused' });
});

test('a search finds lines of the commit, and nothing of what is hidden', async () => {
  const files = await open();
  const found = await files.search({ pattern: 'limit', ignoreCase: true }, signal);
  expect(found).toMatchObject({
    kind: 'matches',
    matches: [
      { path: 'readme.md', line: 1 },
      { path: 'src/limit.ts', line: 1 },
    ],
  });
  expect(await files.search({ pattern: 'limit', path: 'src' }, signal)).toMatchObject({
    matches: [{ path: 'src/limit.ts' }],
  });
  expect(await files.countMatches({ pattern: 'limit', glob: '*.ts' }, signal)).toMatchObject({
    files: [{ path: 'src/limit.ts', lines: 1 }],
  });
  expect(await files.search({ pattern: 'x', path: '../etc' }, signal)).toMatchObject({ kind: 'refused' });
});

test('only the paths of the settings are read', async () => {
  const files = await open(['src/**']);
  expect(files.listFiles()).toEqual(['src/limit.ts', 'src/picture.ts']);
  expect(await files.readFile('readme.md')).toEqual({ kind: 'missing' });
  expect(await files.search({ pattern: 'limit', ignoreCase: true }, signal)).toMatchObject({
    matches: [{ path: 'src/limit.ts' }],
  });
});

test('too many files are refused', async () => {
  const opening = openCommitFiles({
    git,
    gitDir,
    sha,
    paths: null,
    findSecrets: async () => [],
    signal,
    limits: { maxFiles: 3 },
  });
  await expect(opening).rejects.toMatchObject({ facts: { reason: 'repository_too_large' } });
});

test('with a prefix, each path in and out begins with it', async () => {
  const files = prefixFiles(await open(), '@acme/api');
  expect(files.listFiles()).toContain('@acme/api/src/limit.ts');
  expect(await files.readFile('@acme/api/src/limit.ts')).toMatchObject({ kind: 'text' });
  expect(await files.search({ pattern: '100', path: '@acme/api', glob: '@acme/api/src/*' }, signal)).toMatchObject({
    matches: [{ path: '@acme/api/src/limit.ts' }],
  });
  expect(files.describeAccess('@acme/api/src/limit.ts')).toMatchObject({ kind: 'protected' });
});
