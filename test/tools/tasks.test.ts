import { expect, onTestFinished, test } from 'vitest';
import { inlineReaders } from '../../src/policy/judge/foreign-readers.ts';
import { type PageToRead, scanPage as readPageInline } from '../../src/policy/pages/scan-page.ts';
import { createThreads, type RunTask, runInline, ThreadsBusy, ThreadTimeout } from '../../src/threads/threads.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { createWorld } from '../workspace/world.ts';
import { createInlineDocs } from './inline-docs.ts';

async function openTools(entries: Record<string, string>, runTask: RunTask) {
  const world = await createWorld();
  const workspace = await world.open(entries);
  onTestFinished(async () => {
    await workspace[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const tools = new Map(
    createTools({ workspace, runTask, docs: createInlineDocs(entries) }).map((tool) => [tool.name, tool]),
  );
  return async (name: string, args: object) => tools.get(name)?.call(JSON.stringify(args), world.signal);
}

test('promise 7: a tool whose work takes too long says what to do instead', async () => {
  const call = await openTools({ 'a.md': 'a\n' }, () => Promise.reject(new ThreadTimeout('too long')));
  expect(await call('list_files', { glob: '*.md' })).toEqual({
    isError: true,
    output: expect.stringMatching(/^stopped: list_files took too long .* use a narrower path/),
  });
});

test('promise 7: a tool that takes too long after a change says what it changed', async () => {
  const call = await openTools({ 'a.md': 'a\n' }, () => Promise.reject(new ThreadTimeout('too long')));
  expect(await call('write_file', { path: 'a.md', content: 'b\n' })).toEqual({
    isError: true,
    output: expect.stringMatching(
      /^write_file changed these files, but took too long .* do not repeat the call:\na\.md$/,
    ),
  });
});

test('promise 7: a move that was undone says that nothing was changed, also of files that were changed before', async () => {
  await using world = await createWorld();
  const entries = { 'docs/a.md': 'a\n', 'docs/b.md': 'b\n' };
  const readPage = async (page: PageToRead) => {
    if (page.path === 'guides/b.md') throw new ThreadTimeout('too long');
    return readPageInline(page);
  };
  await using workspace = await world.open(entries, { rules: { readers: { ...inlineReaders, readPage } } });
  const tools = createTools({ workspace, runTask: runInline, docs: createInlineDocs(entries) });
  const call = (wanted: string, args: object) =>
    tools.find(({ name }) => name === wanted)?.call(JSON.stringify(args), world.signal);
  await call('write_file', { path: 'docs/a.md', content: 'new\n' });
  const moved = await call('move_file', { from: 'docs', to: 'guides' });
  expect(workspace.listFiles()).toEqual(Object.keys(entries));
  expect(moved?.output).toContain('nothing was changed');
});

test('promise 7: a file that takes too long to read stays behind, and the links of the others follow the move', async () => {
  await using world = await createWorld();
  const entries = { 'docs/a.md': '# A\n', 'docs/b.md': '[A](a.md)\n', 'docs/c.md': '[A](a.md)\n' };
  await using workspace = await world.open(entries);
  const readFile = async (path: string) => {
    if (path === 'docs/b.md') throw new ThreadTimeout('too long');
    return workspace.readFile(path);
  };
  const docs = createInlineDocs(entries);
  const tools = createTools({ workspace: { ...workspace, readFile }, runTask: runInline, docs });
  const args = { from: 'docs/a.md', to: 'docs/new/a.md' };
  const moved = await tools.find(({ name }) => name === 'move_file')?.call(JSON.stringify(args), world.signal);
  expect(moved?.output).toContain('docs/b.md:1 (it takes too long to check)');
  expect(await workspace.readFile('docs/c.md')).toEqual({ kind: 'text', text: '[A](new/a.md)\n' });
});

test('a tool that finds all threads taken says nothing to the model: the run waits', async () => {
  const call = await openTools({ 'a.md': 'a\n' }, () => Promise.reject(new ThreadsBusy('many wait')));
  await expect(call('list_files', { glob: '*.md' })).rejects.toBeInstanceOf(ThreadsBusy);
});

test('promise 7: large files are worked on in a thread, small files and lists are not', async () => {
  const threads = createThreads();
  onTestFinished(threads.close);
  const inThread = new Set<string>();
  const call = await openTools(
    { 'small.md': 'a\n', 'large.md': `${'a'.repeat(2_000_000)}\n` },
    (task, input, signal) => {
      if (!task.isSmall?.(input)) inThread.add(task.work.name);
      return threads.run(task, input, { signal });
    },
  );
  const edit = { old_text: `${'a'.repeat(5_000)}b${'a'.repeat(5_000)}`, new_text: 'c' };
  expect(await call('edit_file', { ...edit, path: 'small.md' })).toMatchObject({ isError: true });
  expect(await call('list_files', {})).toMatchObject({ isError: false });
  expect([...inThread]).toEqual([]);
  expect(await call('edit_file', { ...edit, path: 'large.md' })).toMatchObject({
    isError: true,
    output: expect.stringContaining('old_text is not in large.md'),
  });
  expect([...inThread]).toEqual(['editText']);
});

test('promise 7: a pattern over very many paths holds no event loop: it is matched in a thread', async () => {
  const paths = Array.from({ length: 95_000 }, (_, index) => `docs/${index % 100}/${index}.md`);
  const inThread: boolean[] = [];
  const runTask: RunTask = async (task, input) => {
    inThread.push(!task.isSmall?.(input));
    return task.work(input);
  };
  const world = await createWorld();
  await using workspace = await world.open({ 'a.md': 'a\n' });
  const tools = createTools({
    workspace: { ...workspace, listFiles: () => paths },
    runTask,
    docs: createInlineDocs({}),
  });
  const listFiles = tools.find(({ name }) => name === 'list_files');
  await listFiles?.call(JSON.stringify({ glob: '**/*9*9*.md' }), world.signal);
  expect(inThread).toContain(true);
  await world[Symbol.asyncDispose]();
});
