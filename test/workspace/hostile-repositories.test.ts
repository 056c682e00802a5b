import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GitError } from '../../src/git/errors.ts';
import { requireAllowedChanges } from '../../src/policy/require-allowed-changes.ts';
import { runInline } from '../../src/threads/threads.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { searchFiles } from '../../src/workspace/search.ts';
import { encodeTree, type TreeEntry } from '../support/git/write-repository.ts';
import { createInlineDocs } from '../tools/inline-docs.ts';
import { createWorld, details, type Entry } from './world.ts';

const link = (target: string): Entry => ({ mode: '120000', content: target });
const submodule: Entry = { mode: '160000', sha: '1'.repeat(40) };

/** Hostile contents come through a mirror, as in the service. */
const fetched = { isFetched: true };

test.each<[string, Record<string, Entry>, string]>([
  ['a link to a file outside', { 'a.md': 'a\n', 'docs/passwd': link('/etc/passwd') }, 'docs/passwd'],
  ['a link to a folder outside', { 'a.md': 'a\n', docs: link('/etc') }, 'docs/passwd'],
  ['a link inside the repository', { 'a.md': 'a\n', 'b.md': link('a.md') }, 'b.md'],
  ['a link that points nowhere', { 'a.md': 'a\n', 'b.md': link('none') }, 'b.md'],
  ['a submodule', { 'a.md': 'a\n', 'lib/theme': submodule }, 'lib/theme'],
  ['a path below a submodule', { 'a.md': 'a\n', 'lib/theme': submodule }, 'lib/theme/index.md'],
])('promise 5: %s is not checked out, read, written, removed or replaced', async (_, entries, path) => {
  await using world = await createWorld();
  await using workspace = await world.open(entries, fetched);
  expect(workspace.listFiles()).toEqual(['a.md']);
  expect(readdirSync(workspace.directory)).toEqual(['a.md']);
  expect(await workspace.readFile(path)).toMatchObject({ kind: 'refused' });
  expect(await workspace.writeFile(path, 'x\n')).toMatchObject({ kind: 'refused' });
  expect(await workspace.removeFile(path)).toMatchObject({ kind: 'refused' });
  expect(await workspace.moveFiles([{ from: path, to: 'c.md' }], world.signal)).toMatchObject({ kind: 'refused' });
  expect(await workspace.moveFiles([{ from: 'a.md', to: path }], world.signal)).toMatchObject({ kind: 'refused' });
  expect(await workspace.search({ pattern: 'root', path }, world.signal)).toMatchObject({ kind: 'refused' });
  await workspace.writeFile('a.md', 'b\n');
  const commit = await workspace.commit({ ...details, signal: world.signal });
  expect(await workspace.countLines(commit)).toEqual(['1 1 a.md']);
});

test('promise 18: a bare repository with a command in its configuration is plain files', async () => {
  await using world = await createWorld();
  const proof = join(world.root, 'proof');
  const bare = {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${proof}; false"\n\tpager = "touch ${proof}"\n`,
    'objects/info/x': '',
    'refs/heads/x': '',
    'hooks/post-checkout': { mode: '100755', content: `#!/bin/sh\ntouch ${proof}\n` },
  };
  const below = Object.fromEntries(Object.entries(bare).map(([path, entry]) => [`docs/evil/${path}`, entry]));
  await using workspace = await world.open({ ...bare, ...below, 'a.md': 'text\n' }, fetched);
  expect(await workspace.search({ pattern: 'text' }, world.signal)).toMatchObject({ matches: [{ path: 'a.md' }] });
  expect(await workspace.search({ pattern: 'text', path: 'docs/evil' }, world.signal)).toMatchObject({ matches: [] });
  await workspace.writeFile('a.md', 'b\n');
  await workspace.commit({ ...details, signal: world.signal });
  expect(existsSync(proof)).toBe(false);
});

test('promise 18: filters, drivers and text conversions named in .gitattributes do not run', async () => {
  await using world = await createWorld();
  await using workspace = await world.open(
    {
      '.gitattributes': '* filter=evil diff=evil merge=evil -text\n',
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:1\n',
      'a.md': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    },
    fetched,
  );
  expect(await workspace.readFile('a.md')).toMatchObject({ text: expect.stringContaining('git-lfs') });
  await workspace.writeFile('a.md', 'plain\n');
  expect(await workspace.commit({ ...details, signal: world.signal })).toMatchObject({ changedFiles: 1 });
});

test('promise 18: existing names that differ only in letter case both stay', async () => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'docs/a.md': 'lower\n', 'docs/A.md': 'upper\n', 'Docs/b.md': 'b\n' });
  expect(workspace.listFiles()).toEqual(['Docs/b.md', 'docs/A.md', 'docs/a.md']);
  expect(await workspace.writeFile('docs/A.md', 'UPPER\n')).toEqual({ kind: 'written' });
  expect(await workspace.readFile('docs/a.md')).toEqual({ kind: 'text', text: 'lower\n' });
});

test('promise 18: unusable names stay unchanged', async () => {
  await using world = await createWorld();
  const entries: Record<string, Entry> = {
    'a.md': 'a\n',
    'docs/line\nbreak.md': 'x\n',
    'docs/back\\slash.md': 'x\n',
    [`docs/${'n'.repeat(300)}.md`]: 'x\n',
    '-rf.md': 'x\n',
    ':(top)magic': 'x\n',
    'docs/\u202Efdp.md': 'x\n',
  };
  await using workspace = await world.open(entries);
  expect(workspace.listFiles()).toEqual(['-rf.md', ':(top)magic', 'a.md']);
  await workspace.writeFile('-rf.md', 'y\n');
  const commit = await workspace.commit({ ...details, signal: world.signal });
  expect(await workspace.countLines(commit)).toEqual(['1 1 -rf.md']);
});

test('promise 18: a small repository that expands to millions of files ends the run', async () => {
  await using world = await createWorld({ limits: { maxFiles: 1_000 } });
  const writeTree = (entries: TreeEntry[]) => world.repository.writeObject('tree', encodeTree(entries));
  let tree = writeTree([{ mode: '100644', name: 'f', sha: world.repository.writeObject('blob', 'x') }]);
  for (let depth = 0; depth < 6; depth += 1)
    tree = writeTree(Array.from({ length: 10 }, (_, index) => ({ mode: '40000', name: String(index), sha: tree })));
  const folder = { mode: '40000', sha: tree };
  world.addCommit(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [String(index), folder])));
  const mirror = await world.fetch();
  const opening = world.workspaces.open({
    runId: 'run_1',
    mirror,
    sha: mirror.baseSha,
    writes: new Map(),
    signal: world.signal,
  });
  await expect(opening).rejects.toMatchObject({ reason: 'repository_too_large' });
  await mirror[Symbol.asyncDispose]();
});

test('promise 7: a search with an exponential pattern ends', async () => {
  await using world = await createWorld({ limits: { searchTimeoutMs: 300 } });
  await using workspace = await world.open({ 'a.md': `${'a'.repeat(5_000)}b\n`.repeat(50) });
  const found = await workspace.search({ pattern: '^(((a*)*)*)*\\1\\2\\3c$' }, world.signal);
  expect(found).toEqual({ kind: 'too_slow' });
});

test.each([
  ['(a{1,32767}){1,32767}b', 'invalid_pattern'],
  ['((a{255}){255}){255}', 'invalid_pattern'],
  ['a{1001}', 'invalid_pattern'],
  ['(a{2000,}){2}', 'invalid_pattern'],
  ['(\\\\{40}){40}', 'invalid_pattern'],
  [`(${'(a|b)*'.repeat(140)}){1000}`, 'invalid_pattern'],
  ['(a{0,40}){0}', 'matches'],
  ['[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}', 'matches'],
  ['\\{2000\\}', 'matches'],
])('promise 7: the counts of %s are within the limits of git: %s', async (pattern, kind) => {
  await using world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a{2000} on 2026-11-20\n' });
  expect(await workspace.search({ pattern }, world.signal)).toMatchObject({ kind });
});

test('promise 7: a pattern that crashes git is reported as invalid', async () => {
  const crash = new GitError({ command: 'grep', failure: 'signal', code: null, stderr: '' });
  const found = searchFiles({
    git: () => Promise.reject(crash),
    gitDir: '/none',
    directory: '/none',
    query: { pattern: 'a' },
    timeoutMs: 1_000,
    signal: AbortSignal.timeout(1_000),
  });
  expect(await found).toMatchObject({ kind: 'invalid_pattern' });
});

test.each<[string, Entry]>([
  ['a link', link('/etc/passwd')],
  ['a submodule', submodule],
])('promise 5: a change with %s is stopped before the push', async (_, entry) => {
  await using world = await createWorld();
  const from = world.addCommit({ 'a.md': 'a\n', 'b.md': 'b\n' });
  const to = world.addCommit({ 'a.md': 'a\n', 'b.md': entry }, { parent: from });
  const { git, bare: gitDir, signal } = world;
  const protectedPaths = { reason: 'protected_paths' };
  const at = { git, gitDir, signal };
  await expect(requireAllowedChanges({ ...at, from, to })).rejects.toMatchObject(protectedPaths);
  await expect(requireAllowedChanges({ ...at, from: to, to: from })).rejects.toMatchObject(protectedPaths);
});

test('promise 5: a change of a protected or unexpected path is stopped before the push', async () => {
  await using world = await createWorld();
  const from = world.addCommit({ 'a.md': 'a\n' });
  const { git, bare: gitDir, signal } = world;
  const workflow = world.addCommit({ 'a.md': 'a\n', '.github/workflows/x.yml': 'x' }, { parent: from });
  await expect(requireAllowedChanges({ git, gitDir, from, to: workflow, signal })).rejects.toMatchObject({
    reason: 'protected_paths',
    message: expect.stringContaining('.github/workflows/x.yml'),
  });
  const other = world.addCommit({ 'a.md': 'b\n' }, { parent: from });
  await requireAllowedChanges({ git, gitDir, from, to: other, signal });
  const expected = new Map([['b.md', null]]);
  await expect(requireAllowedChanges({ git, gitDir, from, to: other, expected, signal })).rejects.toMatchObject({
    reason: 'protected_paths',
  });
});

test('promise 5: no path that a model passes to a tool changes protected files or files outside the workspace', async () => {
  await using world = await createWorld();
  await using workspace = await world.open(
    {
      'a.md': 'inside\n',
      '.github/workflows/ci.yml': 'inside\n',
      'docs/link': link('..'),
      out: link(world.root),
    },
    fetched,
  );
  const canary = join(world.root, 'canary.md');
  writeFileSync(canary, 'canary\n');
  mkdirSync(join(world.root, 'empty'));
  const tools = new Map(
    createTools({ workspace, runTask: runInline, docs: createInlineDocs({ 'a.md': 'inside\n' }) }).map((tool) => [
      tool.name,
      tool,
    ]),
  );
  const names =
    '.. . docs link out canary.md a.md .github .GitHub workflows ci.yml .git git~1 config package.json etc passwd';
  const piece = fc.constantFrom(...names.split(' '), '', 'new', 'é', 'e\u0301', '\u200c', '\0');
  const path = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('/')),
    fc.constantFrom(canary, '/etc/passwd', '/proc/self/environ', '../../canary.md', 'out/canary.md', '~/.ssh/id'),
  );
  const call = fc.oneof(
    fc.record({ tool: fc.constantFrom('read_file', 'delete_file', 'list_files'), args: fc.record({ path }) }),
    fc.record({ tool: fc.constant('write_file'), args: fc.record({ path, content: fc.constant('written\n') }) }),
    fc.record({ tool: fc.constant('move_file'), args: fc.record({ from: path, to: path }) }),
    fc.record({
      tool: fc.constant('edit_file'),
      args: fc.record({ path, old_text: fc.constant('canary'), new_text: fc.constant('x') }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
      for (const { tool, args } of calls) {
        const result = await tools.get(tool)?.call(JSON.stringify(args), world.signal);
        expect(result?.output).not.toMatch(/canary\n|root:x:/);
      }
      expect(readFileSync(canary, 'utf8')).toBe('canary\n');
      expect(readdirSync(world.root).toSorted()).toEqual(['acme', 'canary.md', 'empty', 'mirrors', 'workspaces']);
      expect(readFileSync(join(workspace.directory, '.github/workflows/ci.yml'), 'utf8')).toBe('inside\n');
    }),
    { numRuns: 150 },
  );
  for (const written of workspace.writes().keys()) {
    expect(written).toMatch(/^(?!\.|out(\/|$)|docs\/link(\/|$)|(.*\/)?package\.json$)/);
  }
  await workspace.commit({ ...details, signal: world.signal });
});
