import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tryLock } from '../../src/disk/file-lock.ts';
import { StopRequested } from '../../src/errors.ts';
import type { Git } from '../../src/git/git.ts';
import { inlineReaders } from '../../src/policy/judge/foreign-readers.ts';
import { type PageToRead, scanPage as readPageInline } from '../../src/policy/pages/scan-page.ts';
import { ThreadTimeout } from '../../src/threads/threads.ts';
import { createScratchFolders } from '../../src/workspace/scratch-folders.ts';
import { createWorkspaces, type WorkspacesLimits } from '../../src/workspace/workspaces.ts';
import { createWorld, details, type Entry, token } from './world.ts';

test('a workspace has the files of its commit and is removed when disposed', async () => {
  await using world = await createWorld();
  const workspace = await world.open({ 'README.md': 'hello\n', 'docs/a.md': 'a\n' });
  expect(workspace.listFiles()).toEqual(['README.md', 'docs/a.md']);
  expect(await workspace.readFile('docs/a.md')).toEqual({ kind: 'text', text: 'a\n' });
  expect(existsSync(join(workspace.directory, '.git'))).toBe(false);
  await workspace[Symbol.asyncDispose]();
  expect(readdirSync(join(world.root, 'workspaces'))).toEqual([]);
});

test('readFile distinguishes text, binary, too large, missing and folders', async () => {
  await using world = await createWorld({ limits: { maxReadBytes: 10 } });
  await using workspace = await world.open({
    'docs/bin': new Uint8Array([1, 0, 2]),
    'docs/latin1': new Uint8Array([0xe9]),
    'docs/long': 'x'.repeat(11),
    'docs/bom': '\uFEFFx\n',
  });
  expect(await workspace.readFile('docs/bin')).toEqual({ kind: 'binary', bytes: 3 });
  expect(await workspace.readFile('docs/latin1')).toEqual({ kind: 'binary', bytes: 1 });
  expect(await workspace.readFile('docs/long')).toEqual({ kind: 'too_large', bytes: 11 });
  expect(await workspace.readFile('docs/bom')).toEqual({ kind: 'text', text: '\uFEFFx\n' });
  expect(await workspace.readFile('docs/none')).toEqual({ kind: 'missing' });
  expect(await workspace.readFile('docs')).toMatchObject({ kind: 'refused' });
  expect(await workspace.readFile('../x')).toMatchObject({ kind: 'refused' });
});

test('a commit contains exactly the write set', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({
    'keep.md': 'keep\n',
    'docs/edit.md': 'one\ntwo\n',
    'docs/drop.md': 'drop\n',
    'docs/old/move.md': 'a text that moves\nwith several\nlines\n',
    'docs/run': { mode: '100755', content: 'x\n' },
  });
  await workspace.writeFile('docs/edit.md', 'one\n2\n');
  await workspace.writeFile('docs/new/file.md', 'new\n');
  await workspace.removeFile('docs/drop.md');
  await workspace.moveFiles([{ from: 'docs/old/move.md', to: 'docs/moved.md' }], world.signal);
  const commit = await workspace.commit({ ...details, signal: world.signal });
  expect(await workspace.countLines(commit)).toEqual([
    '0 1 docs/drop.md',
    '1 1 docs/edit.md',
    '0 0 docs/{old/move.md => moved.md}',
    '1 0 docs/new/file.md',
  ]);
  expect(commit).toMatchObject({ changedFiles: 4 });
  const listing = await world.git(['ls-tree', '-r', commit?.sha ?? ''], {
    gitDir: workspace.mirror.directory,
    signal: world.signal,
  });
  expect(
    listing.stdout
      .toString()
      .split('\n')
      .map((line) => line.replace(/ blob \w+\t/, ' ')),
  ).toEqual([
    '100644 docs/edit.md',
    '100644 docs/moved.md',
    '100644 docs/new/file.md',
    '100755 docs/run',
    '100644 keep.md',
    '',
  ]);
  expect([...workspace.writes().keys()]).toEqual([
    'docs/drop.md',
    'docs/edit.md',
    'docs/moved.md',
    'docs/new/file.md',
    'docs/old/move.md',
  ]);
});

test('a takeover with the write set makes the same commit', async () => {
  await using world = await createWorld();
  await using first = await world.open({
    'docs/a.md': 'a\n',
    'docs/b.md/c.md': 'c\n',
    'docs/old.md': 'a text that moves\n',
  });
  await first.writeFile('docs/a.md', 'A\n');
  await first.removeFile('docs/b.md/c.md');
  await first.writeFile('docs/b.md', 'a file where a folder was\n');
  await first.moveFiles([{ from: 'docs/old.md', to: 'docs/new.md' }], world.signal);
  const commit = await first.commit({ ...details, signal: world.signal });
  const { mirror, sha } = first;
  await using second = await world.workspaces.open({
    runId: 'run_1',
    mirror,
    sha,
    writes: first.writes(),
    signal: world.signal,
  });
  expect(second.listFiles()).toEqual(first.listFiles());
  expect(await second.commit({ ...details, signal: world.signal })).toEqual(commit);
  // The file that was moved is one.
  expect(commit).toMatchObject({ changedFiles: 4 });
});

test('there is nothing to commit when all files have their original content again', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n', 'b.md': 'b\n' });
  await workspace.writeFile('a.md', 'A\n');
  await workspace.writeFile('a.md', 'a\n');
  await workspace.removeFile('b.md');
  await workspace.writeFile('b.md', 'b\n');
  await workspace.writeFile('c.md', 'c\n');
  await workspace.removeFile('c.md');
  expect(workspace.writes()).toEqual(new Map());
  expect(await workspace.commit({ ...details, signal: world.signal })).toBeNull();
});

test('missing files cannot be removed or moved, and a move never overwrites a file', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n', 'b.md': 'b\n', 'docs/c.md': 'c\n' });
  expect(await workspace.removeFile('x.md')).toEqual({ kind: 'missing' });
  expect(await workspace.moveFiles([{ from: 'x.md', to: 'y.md' }], world.signal)).toEqual({ kind: 'missing' });
  expect(await workspace.moveFiles([{ from: 'a.md', to: 'b.md' }], world.signal)).toMatchObject({ kind: 'refused' });
  expect(await workspace.removeFile('docs')).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile('docs', 'x')).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile('a.md/b.md', 'x')).toMatchObject({ kind: 'refused' });
  expect(await workspace.moveFiles([{ from: 'a.md', to: 'package.json' }], world.signal)).toMatchObject({
    kind: 'refused',
  });
  expect(await workspace.readFile('a.md')).toEqual({ kind: 'text', text: 'a\n' });
  expect(workspace.writes()).toEqual(new Map());
});

test.each([
  ['another letter case', 'readme.md'],
  ['another letter case of a folder', 'Docs/new.md'],
  ['another normalisation', 'docs/cafe\u0301.md'],
])('promise 5: a new name that differs only by %s is refused', async (_, path) => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'README.md': 'a\n', 'docs/caf\u00e9.md': 'b\n' });
  expect(await workspace.writeFile(path, 'x\n')).toMatchObject({ kind: 'refused' });
});

test('a file can be renamed in letter case only', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'docs/Readme.md': 'a\n' });
  expect(await workspace.moveFiles([{ from: 'docs/Readme.md', to: 'docs/readme.md' }], world.signal)).toEqual({
    kind: 'moved',
  });
  expect(workspace.listFiles()).toEqual(['docs/readme.md']);
});

test('line end, keyword and encoding attributes of a repository change no bytes', async () => {
  await using world = await createWorld();
  await using workspace = await world.open(
    {
      '.gitattributes': '* text=auto eol=crlf ident\n*.utf16 working-tree-encoding=UTF-16\n*.lfs filter=lfs\n',
      'lf.md': '$Id$\none\n',
      'crlf.md': 'one\r\ntwo\r\n',
      'a.utf16': 'one\n',
      'a.lfs': 'version https://git-lfs.github.com/spec/v1\n',
    },
    { isFetched: true },
  );
  expect(await workspace.readFile('lf.md')).toEqual({ kind: 'text', text: '$Id$\none\n' });
  expect(await workspace.readFile('crlf.md')).toEqual({ kind: 'text', text: 'one\r\ntwo\r\n' });
  expect(await workspace.readFile('a.utf16')).toEqual({ kind: 'text', text: 'one\n' });
  await workspace.writeFile('crlf.md', 'one\r\nTWO\r\n');
  const commit = await workspace.commit({ ...details, signal: world.signal });
  expect(await workspace.countLines(commit)).toEqual(['1 1 crlf.md']);
});

test('promise 9: a write set has a limit of files and bytes', async () => {
  await using world = await createWorld({ limits: { maxChangedFiles: 2, maxChangedBytes: 10, maxFileBytes: 8 } });
  await using workspace = await world.open({ 'a.md': 'a\n' });
  expect(await workspace.writeFile('b.md', 'x'.repeat(9))).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile('b.md', 'x'.repeat(8))).toEqual({ kind: 'written' });
  expect(await workspace.writeFile('b.md', 'y'.repeat(8))).toEqual({ kind: 'written' });
  expect(await workspace.writeFile('c.md', 'xxx')).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile('c.md', 'x')).toEqual({ kind: 'written' });
  expect(await workspace.writeFile('d.md', '')).toMatchObject({ kind: 'refused' });
});

const link: Entry = { mode: '120000', content: 'a.md' };

test.each<[string, Partial<WorkspacesLimits>, Record<string, Entry>]>([
  ['files', { maxFiles: 2 }, { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' }],
  ['links', { maxFiles: 2 }, { 'a.md': 'a\n', 'b.md': link, 'c.md': link }],
  ['folders', { maxFiles: 2 }, { 'a/b/c/d.md': 'd\n' }],
  ['bytes', { maxBytes: 5 }, { 'a.md': 'aa\n', 'b.md': 'b\n', 'c.md': 'c\n' }],
])('promise 7: a repository with too many %s ends the run and leaves no files', async (_, limits, entries) => {
  await using world = await createWorld({ limits });
  await expect(world.open(entries)).rejects.toMatchObject({ reason: 'repository_too_large' });
  expect(readdirSync(join(world.root, 'workspaces'))).toEqual([]);
});

test('a missing commit ends the run, and a missing object marks the mirror as damaged', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({ 'a.md': 'a\n', '.gitattributes': '* export-ignore\n' });
  const mirror = await world.fetch();
  const options = { runId: 'run_1', mirror, writes: new Map(), signal: world.signal };
  await expect(world.workspaces.open({ ...options, sha: '1'.repeat(40) })).rejects.toMatchObject({
    reason: 'base_rewritten',
  });
  removeObject(mirror.directory, world.run(['rev-parse', `${sha}:a.md`]));
  await expect(world.workspaces.open({ ...options, sha })).rejects.toMatchObject({ name: 'GitError' });
  await mirror[Symbol.asyncDispose]();
  await using again = await world.fetch();
  await using workspace = await world.workspaces.open({ ...options, mirror: again, sha });
  expect(await workspace.readFile('a.md')).toEqual({ kind: 'text', text: 'a\n' });
});

test('a checkout that fails for another reason does not mark the mirror as damaged', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({ 'a.md': 'a\n' });
  await using mirror = await world.fetch();
  const fullDisk: Git = (args, options) =>
    world.git(args[0] === 'read-tree' ? ['checkout-index', '--prefix=/nowhere/', 'missing.md'] : args, options);
  const workspaces = createWorkspaces({ git: fullDisk, directory: join(world.root, 'workspaces') });
  const opening = workspaces.open({ runId: 'run_1', mirror, sha, writes: new Map(), signal: world.signal });
  await expect(opening).rejects.toMatchObject({ name: 'GitError', failure: 'exit' });
  await using other = await world.impatient.fetch(world.request('run_2'));
  expect(other).toMatchObject({ baseSha: sha });
});

test('only the workspaces of dead processes are removed, also while their runs are leased', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n' });
  const directory = join(world.root, 'workspaces');
  const now = `${Date.now()}-0123abcd`;
  const [orphan, young] = [`run_1.${now}`, `run_2.${now}`];
  const unfinished = [`.new-${now}`, `.new-${Date.now()}-4567abcd`, `.old-${now}`];
  for (const name of [orphan, young, 'run_3.1700000000000-0123abcd', ...unfinished])
    mkdirSync(join(directory, name, 'files'), { recursive: true });
  for (const name of [orphan, unfinished[0] ?? '']) writeFileSync(join(directory, name, 'lock'), '');
  await world.workspaces.removeOrphans();
  // The young one may be in use: a process of an older version has no lock on it.
  expect(readdirSync(directory).toSorted()).toEqual([basename(dirname(workspace.directory)), young].toSorted());
  expect(await workspace.readFile('a.md')).toMatchObject({ kind: 'text' });
});

test.each<[string, (made: string) => Disposable | null | undefined]>([
  ['removes it', (made) => void rmSync(made, { recursive: true })],
  ['looks whether it is held', (made) => tryLock(join(made, 'lock'), 'exclusive')],
])('a folder is created even if a cleanup %s before it is locked', async (_, tidyUp) => {
  await using world = await createWorld();
  const directory = join(world.root, 'workspaces');
  mkdirSync(directory);
  const making = createScratchFolders({ directory }).make('run_1');
  const made = await findUnlocked(directory);
  // Held to the end: a lock that nobody refers to is options up when garbage is collected.
  using _held = tidyUp(join(directory, made));
  await using folder = await making;
  expect(readdirSync(directory)).toEqual([basename(folder.path)]);
  expect(folder.path).not.toContain(made.slice('.new-'.length));
});

/** In each round of the event loop, looks for long enough for what was asked of the file system to be done, and not yet noticed. */
async function findUnlocked(directory: string): Promise<string> {
  for (;;) {
    for (const until = performance.now() + 200; performance.now() < until; ) {
      const made = readdirSync(directory).find((name) => name.startsWith('.new-'));
      // Last whether it is there: one that is locked may have got its own name in between.
      if (made !== undefined && !existsSync(join(directory, made, 'lock')) && existsSync(join(directory, made)))
        return made;
    }
    await setImmediate();
  }
}

test('a search finds lines below a path and reads nothing outside the workspace', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({
    'docs/a.md': 'Install it\nuninstall\n',
    'src/b.md': 'install\n',
    'docs/.gitignore': 'ignored.md\n',
    'docs/ignored.md': 'install too\n',
    'docs/bin': new Uint8Array([...Buffer.from('install'), 0]),
    'docs/[x].md': 'brackets\n',
  });
  await workspace.writeFile('docs/new.md', 'installed\r\n');
  const search = (pattern: string, path?: string, ignoreCase?: boolean) =>
    workspace.search({ pattern, path, ignoreCase }, world.signal);
  expect(await search('^install')).toEqual({
    kind: 'matches',
    isCut: false,
    matches: [
      { path: 'docs/ignored.md', line: 1, text: 'install too', at: 0 },
      { path: 'docs/new.md', line: 1, text: 'installed', at: 0 },
      { path: 'src/b.md', line: 1, text: 'install', at: 0 },
    ],
  });
  expect(await search('^install', 'docs/a.md', true)).toMatchObject({ matches: [{ line: 1 }] });
  expect(await search('brackets', 'docs/[x].md')).toMatchObject({ matches: [{ path: 'docs/[x].md' }] });
  expect(await search('x', 'docs/none')).toMatchObject({ kind: 'missing', path: 'docs/none' });
  expect(await search('x', '../..')).toMatchObject({ kind: 'refused' });
  expect(await search('-x|--open-files-in-pager')).toMatchObject({ kind: 'matches', matches: [] });
  expect(await search('(')).toMatchObject({ kind: 'invalid_pattern', reason: expect.stringContaining('(') });
  expect(await search('a\nb')).toMatchObject({ kind: 'invalid_pattern' });
  expect(await search('')).toMatchObject({ kind: 'invalid_pattern' });
});

test('several files are written together, or none of them', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n', 'b.md': 'b\n', Makefile: 'all:\n' });
  const write = (texts: Record<string, string>) => workspace.writeFiles(new Map(Object.entries(texts)));
  expect(await write({ 'a.md': 'x\n', 'new.md': 'x\n', Makefile: 'x' })).toMatchObject({ kind: 'refused' });
  expect(workspace.writes().size).toBe(0);
  expect(await workspace.readFile('a.md')).toEqual({ kind: 'text', text: 'a\n' });
  expect(await workspace.readFile('new.md')).toEqual({ kind: 'missing' });
  expect(await write({ 'a.md': 'x\n', 'b.md': 'y\n' })).toEqual({ kind: 'written' });
  expect([...workspace.writes().keys()]).toEqual(['a.md', 'b.md']);
});

test('files are moved together, or none of them: also when a check takes too long, or the run stops', async () => {
  await using world = await createWorld();
  const stop = new AbortController();
  const failures = new Map<string, () => void>();
  const readPage = async (page: PageToRead) => {
    failures.get(page.path)?.();
    return readPageInline(page);
  };
  const files = { 'docs/a.md': 'a\n', 'docs/b.md': 'b\n', 'docs/c.md': 'c\n' };
  await using workspace = await world.open(files, { rules: { readers: { ...inlineReaders, readPage } } });
  const moves = Object.keys(files).map((from) => ({ from, to: from.replace('docs', 'guides') }));
  const move = () => workspace.moveFiles(moves, stop.signal);

  failures.set('guides/b.md', () => {
    throw new ThreadTimeout('too long');
  });
  await expect(move()).rejects.toBeInstanceOf(ThreadTimeout);
  expect(workspace.writes().size).toBe(0);
  expect(readdirSync(workspace.directory, { recursive: true }).toSorted()).toEqual(['docs', ...Object.keys(files)]);

  failures.set('guides/b.md', () => stop.abort(new StopRequested()));
  await expect(move()).rejects.toBeInstanceOf(StopRequested);
  expect(workspace.writes().size).toBe(0);
  expect(workspace.listFiles()).toEqual(Object.keys(files));

  failures.clear();
  expect(await workspace.moveFiles(moves, world.signal)).toEqual({ kind: 'moved' });
  expect(workspace.listFiles()).toEqual(moves.map(({ to }) => to));
});

test('promise 5: a folder replaced by a link and a file with two hard links are refused', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'docs/a.md': 'a\n', 'b.md': 'b\n' });
  const outside = join(world.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.md'), 'secret\n');
  rmSync(join(workspace.directory, 'docs'), { recursive: true });
  symlinkSync(outside, join(workspace.directory, 'docs'));
  rmSync(join(workspace.directory, 'b.md'));
  symlinkSync(join(outside, 'a.md'), join(workspace.directory, 'b.md'));
  for (const path of ['docs/a.md', 'b.md']) {
    expect(await workspace.readFile(path)).toMatchObject({ kind: 'refused' });
    expect(await workspace.writeFile(path, 'x\n')).toMatchObject({ kind: 'refused' });
    expect(await workspace.removeFile(path)).toMatchObject({ kind: 'refused' });
  }
  expect(await workspace.writeFile('docs/deep/new.md', 'x\n')).toMatchObject({ kind: 'refused' });
  symlinkSync(join(outside, 'made.md'), join(workspace.directory, 'c.md'));
  linkSync(join(outside, 'a.md'), join(workspace.directory, 'd.md'));
  expect(await workspace.writeFile('c.md', 'x\n')).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile('d.md', 'x\n')).toMatchObject({ kind: 'refused' });
  expect(readdirSync(outside)).toEqual(['a.md']);
  expect(readFileSync(join(outside, 'a.md'), 'utf8')).toBe('secret\n');
  expect(workspace.writes()).toEqual(new Map());
});

test('promise 4: a workspace contains no token, and only its owner can read it', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n' });
  await workspace.commit({ ...details, signal: world.signal });
  const scratch = join(workspace.directory, '..');
  expect(statSync(scratch).mode & 0o777).toBe(0o700);
  for (const entry of readdirSync(scratch, { recursive: true, withFileTypes: true })) {
    expect(entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(token)).toBe(false);
  }
});

/** Removes one object from a repository whose objects are in packs. */
function removeObject(gitDir: string, sha: string): void {
  const packs = join(gitDir, 'objects', 'pack');
  const contents = readdirSync(packs)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => readFileSync(join(packs, name)));
  rmSync(packs, { recursive: true });
  for (const input of contents) {
    execFileSync('git', ['--git-dir', gitDir, 'unpack-objects', '-q'], { input });
  }
  rmSync(join(gitDir, 'objects', sha.slice(0, 2), sha.slice(2)));
}
