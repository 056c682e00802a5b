// Processes of git, and real threads: how a run reaches its documentation. What is found is a table in test/checks.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ProblemKind } from '../../src/docs/problem-kinds.ts';
import { openDocs } from '../../src/docs-session/docs.ts';
import type { Changes } from '../../src/docs-session/docs-thread.ts';
import { createGit } from '../../src/git/git.ts';
import { createThreads } from '../../src/threads/threads.ts';

const run = promisify(execFile);
const git = createGit({ allowHttp: false });
const { signal } = new AbortController();
let repo: string;
let base: string;
let branch: string;

beforeAll(async () => {
  repo = await mkdtemp(join(tmpdir(), 'pagewright-docs-'));
  await runGit('init', '--quiet', '--initial-branch=main');
  base = await commit({ 'README.md': '[Use](docs/use.md)\n', 'docs/use.md': '## Use\n\n[Gone](gone.md)\n' });
  branch = await commit({ 'docs/use.md': '## Use\n\n[Gone](gone.md) [Lost](lost.md)\n' });
});

afterAll(() => rm(repo, { recursive: true, force: true }));

const runGit = (...args: string[]) =>
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-C', repo, ...args]);

async function commit(files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), text);
  }
  await runGit('add', '.');
  await runGit('commit', '--quiet', '--message=files');
  return (await runGit('rev-parse', 'HEAD')).stdout.trim();
}

function open(options: { head?: string; longestRequestMs?: number; checksOff?: readonly ProblemKind[] } = {}) {
  const { head = base, longestRequestMs = 60_000, checksOff = [] } = options;
  const threads = createThreads({ timing: { longestRequestMs } });
  const logged: unknown[] = [];
  const log = { warn: (line: object, message: string) => void logged.push([line, message]) };
  const docs = openDocs({ threads, git, gitDir: join(repo, '.git'), base, head, owner: 'run_1', checksOff, log });
  onTestFinished(async () => {
    await docs[Symbol.asyncDispose]();
    await threads.close();
  });
  const check = async (files: Record<string, string | null> = {}) => {
    const changes: Changes = new Map(
      Object.entries(files).map(([path, text]) => [path, text === null ? null : Buffer.from(text)]),
    );
    const checked = await docs.check(changes, { signal });
    return checked?.problems.map(({ file, target }) => `${file}: ${target}`);
  };
  return { docs, check, logged };
}

test('a run asks what its changes have brought so far, one time after another', async () => {
  const { check } = open();
  expect(await check()).toEqual([]);
  expect(await check({ 'docs/use.md': null })).toEqual(['README.md: docs/use.md']);
  expect(await check({ 'README.md': '[Use](docs/uses.md) ![x](docs/x.png)\n', 'docs/x.png': 'x' })).toEqual([
    'README.md: docs/uses.md',
  ]);
  expect(await check()).toEqual([]);
});

test('a follow-up is compared with the base of the pull request: faults of runs before it are told', async () => {
  const { check } = open({ head: branch });
  expect(await check()).toEqual(['docs/use.md: docs/lost.md']);
  expect(await check({ 'docs/use.md': '## Use\n\n[Gone](gone.md)\n' })).toEqual([]);
});

test('a kind that the settings turn off is left alone', async () => {
  const { check } = open({ checksOff: ['link'] });
  expect(await check({ 'docs/use.md': null })).toEqual([]);
});

test('what takes too long costs its answer and one line in the log', async () => {
  const { docs, check, logged } = open({ longestRequestMs: 1 });
  expect(await check()).toBeUndefined();
  expect(logged).toMatchObject([[{ question: 'check', err: expect.any(Error) }, 'could not read the documentation']]);
  expect(await docs.ask('overview', undefined, new Map(), { signal })).toBeUndefined();
});

test('a documentation that fails again and again is not asked any more, and one line says so', async () => {
  const { docs, check, logged } = open({ longestRequestMs: 1 });
  for (const _ of [1, 2, 3, 4, 5]) expect(await check()).toBeUndefined();
  expect(await docs.ask('overview', undefined, new Map(), { signal })).toBeUndefined();
  const failed = 'could not read the documentation';
  expect(logged.map((line) => (Array.isArray(line) ? line[1] : line))).toEqual([
    failed,
    failed,
    'could not read the documentation, and does not try again in this run',
  ]);
});

test('what git cannot read costs its answer, and an aborted question throws its reason', async () => {
  const { check, logged } = open({ head: 'f'.repeat(40) });
  expect(await check()).toBeUndefined();
  expect(logged).toHaveLength(1);
  const { docs } = open();
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(docs.check(new Map(), { signal: stopped })).rejects.toThrow('stopped');
});

test('an overview names the sites of the head', async () => {
  const { docs } = open();
  const changes = new Map([['site/mkdocs.yml', Buffer.from('site_name: x\n')]]);
  expect(await docs.ask('overview', undefined, changes, { signal })).toMatchObject({
    sites: [{ framework: 'Markdown', root: '', pages: 2 }],
  });
});
