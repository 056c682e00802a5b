import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createGit } from '../../src/git/git.ts';
import { createGitEnvironment, listProgramFolders } from '../../src/git/git-environment.ts';
import { createWorld, token } from '../workspace/world.ts';

const git = createGit({ allowHttp: false });
const { signal } = new AbortController();
// They look at /proc.
const testOnLinux = test.skipIf(process.platform !== 'linux');

test('promise 4: git does not inherit the environment of the service', async () => {
  process.env.PAGEWRIGHT_CANARY = 'canary';
  const { stdout } = await git(['-c', 'alias.env=!env', 'env'], { signal });
  delete process.env.PAGEWRIGHT_CANARY;
  const names = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
    .filter((name) => /^[A-Z]/.test(name));
  expect(stdout.toString()).not.toContain('canary');
  expect(names.filter((name) => !/^(GIT_\w+|PATH|HOME|LC_ALL|PWD|SHLVL|_)$/.test(name))).toEqual([]);
});

test('promise 4: only a git process that contacts the remote has the token in its environment, for that host only', () => {
  const options = { allowHttp: false, path: '/usr/bin' };
  const value = Buffer.from(`x-access-token:${token}`).toString('base64');
  const remote = createGitEnvironment({ ...options, credential: { url: 'https://github.com/acme/docs.git', token } });
  const entries = Object.entries(remote).filter(([, text]) => text.includes(value));
  expect(entries).toHaveLength(1);
  const key = entries[0]?.[0].replace('VALUE', 'KEY') ?? '';
  expect(remote[key]).toBe('http.https://github.com/.extraHeader');
  expect(JSON.stringify(createGitEnvironment(options))).not.toContain(value);
});

testOnLinux('promise 4: no process has the token in its arguments', async () => {
  await using world = await createWorld();
  world.addCommit({ 'a.md': 'a\n' });
  world.server.answerWith(0, /git-upload-pack$/);
  const stop = new AbortController();
  const fetching = world.fetch({ signal: stop.signal }).catch(() => {});
  await world.server.nextRequest();
  const lines = commandLines();
  stop.abort();
  await fetching;
  expect(lines.some((line) => line.includes('remote-http'))).toBe(true);
  expect(lines.filter((line) => line.includes(token) || line.includes('extraHeader'))).toEqual([]);
});

test.each([
  ['file', 'file:///etc'],
  ['a local path', '/etc'],
  ['ext', 'ext::sh -c touch% x'],
  ['ssh', 'ssh://git@127.0.0.1/x'],
  ['git', 'git://127.0.0.1/x'],
  ['http, unless allowed', 'http://127.0.0.1:1/x'],
])('promise 18: git refuses %s as a transport', async (_, url) => {
  await expect(git(['ls-remote', '--', url], { signal })).rejects.toMatchObject({
    stderr: expect.stringMatching(/not allowed/),
  });
});

testOnLinux('an abort throws its reason and kills git with all its children', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const marker = `${process.pid}${Date.now()}`.slice(-9);
  const running = git(['-c', `alias.hang=!sleep ${marker} & sleep ${marker}`, 'hang'], { signal: stop.signal });
  const failed = expect(running).rejects.toBe(reason);
  await until(() => commandLines().filter((line) => line.startsWith('sleep') && line.includes(marker)).length === 2);
  stop.abort(reason);
  await failed;
  await until(() => commandLines().every((line) => !line.includes(marker)));
});

test.each([
  ['a time-out', { timeoutMs: 50 }, '-c alias.x=!sleep\\ 20 x', { failure: 'timeout', code: null }],
  ['too much output', { maxOutputBytes: 1_000 }, '-c alias.x=!yes x', { failure: 'output' }],
  ['a failing exit code', {}, 'rev-parse --verify nothing', { failure: 'exit', code: 128 }],
])('a GitError names its cause: %s', async (_, options, line, expected) => {
  const args = line.split(/(?<!\\) /).map((part) => part.replaceAll('\\ ', ' '));
  await expect(git(args, { signal, ...options })).rejects.toMatchObject({ name: 'GitError', ...expected });
});

test('long output is cut with onLongOutput `truncate`', async () => {
  const result = await git(['-c', 'alias.x=!yes', 'x'], { signal, maxOutputBytes: 1_000, onLongOutput: 'truncate' });
  expect([result.stdout.length, result.truncated]).toEqual([1_000, true]);
});

test('a missing git binary is a GitError', async () => {
  const lost = createGit({ allowHttp: false, path: '/nonexistent' });
  await expect(lost(['--version'], { signal })).rejects.toMatchObject({ name: 'GitError', failure: 'spawn' });
});

test.each([
  ['first in the PATH', '/opt/git/bin:/usr/bin', '/opt/git/bin:/usr/bin:/usr/local/bin:/bin:/opt/homebrew/bin'],
  [
    'never in a folder that depends on where git works',
    '.::bin:/opt/git',
    '/opt/git:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  ],
  ['in the usual folders without a PATH', undefined, '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'],
])('git is searched %s', (_, path, expected) => {
  expect(listProgramFolders(path)).toBe(expected);
});

test('a process without a free file descriptor gets a GitError and continues', async () => {
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { createGit } from '${new URL('../../src/git/git.ts', import.meta.url)}';
    const git = createGit({ allowHttp: false });
    const { signal } = new AbortController();
    const used = [];
    try { for (;;) used.push(openSync('/dev/null')); } catch {}
    const { name, failure, cause } = await git(['--version'], { signal }).catch((error) => error);
    used.forEach(closeSync);
    console.log(name, failure, cause?.code, (await git(['--version'], { signal })).code);`;
  const limited = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)('sh', limited);
  expect(stdout).toBe('GitError spawn EMFILE 0\n');
});

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await wait(10);
  }
}
