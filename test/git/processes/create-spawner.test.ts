import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { createSpawner } from '../../../src/git/processes/create-spawner.ts';
import { type ProcessRequest, runProcess } from '../../../src/git/processes/run-process.ts';

const spawner = createSpawner();
afterAll(() => spawner[Symbol.asyncDispose]());
const { signal } = new AbortController();
// They look at /proc.
const testOnLinux = test.skipIf(process.platform !== 'linux');

const sh = (script: string, request: Partial<ProcessRequest> = {}): ProcessRequest => ({
  command: 'sh',
  args: ['-c', script],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 30_000,
  maxOutputBytes: 10_000_000,
  ...request,
});

test.each<[string, ProcessRequest]>([
  ['output, errors and an exit code', sh('echo out; echo bad >&2; exit 3')],
  ['bytes that are no text', sh("printf '\\000\\377\\376'")],
  ['a long input and output', sh('cat', { stdin: Buffer.alloc(5_000_000, 7) })],
  ['an input that nobody reads', sh('exit 0', { stdin: Buffer.alloc(1_000_000) })],
  ['text as input', sh('cat', { stdin: 'ü\n' })],
  ['its own environment and nothing else', sh('env | grep -v ^_= | sort', { env: { PATH: '/usr/bin:/bin', A: '1' } })],
  ['its folder', sh('pwd', { cwd: '/usr' })],
  ['a time-out', sh('sleep 60', { timeoutMs: 50 })],
  ['long output', sh('yes', { maxOutputBytes: 1_000 })],
  ['long errors', sh('yes x | head -c 10000 >&2')],
  ['a signal', sh('kill -9 $$')],
  ['a program that does not exist', sh('', { command: 'no-such-program' })],
  ['a folder that does not exist', sh('', { cwd: '/no-such-folder' })],
])('a process of the spawner ends as one of our own does: %s', async (_, request) => {
  const own = await runProcess(request, signal);
  expect(await spawner.runProcess(request, signal)).toEqual({ ...own, stdout: expect.anything() });
  expect(Buffer.from((await spawner.runProcess(request, signal)).stdout).equals(Buffer.from(own.stdout))).toBe(true);
});

test('many processes run at once, and each gets its own answer', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index}`.repeat(1_000));
  const ends = await Promise.all(texts.map((text) => spawner.runProcess(sh('cat', { stdin: text }), signal)));
  expect(ends.map(({ stdout }) => Buffer.from(stdout).toString())).toEqual(texts);
});

testOnLinux('an abort kills the process and its children', async () => {
  const marker = createMarker();
  const stop = new AbortController();
  const running = spawner.runProcess(sh(`sleep ${marker} & sleep ${marker}`), stop.signal);
  await eventually(() => countSleeping(marker) === 2 || undefined);
  stop.abort();
  expect(await running).toMatchObject({ code: null });
  await eventually(() => countSleeping(marker) === 0 || undefined);
});

test('a signal that was aborted before ends the process at once', async () => {
  expect(await spawner.runProcess(sh('sleep 60'), AbortSignal.abort())).toMatchObject({ code: null });
});

testOnLinux('a spawner that dies costs the processes that it runs, and no later one', async () => {
  await using own = createSpawner();
  const marker = createMarker();
  const running = own.runProcess(sh(`echo $PPID; sleep ${marker}`), signal);
  await eventually(() => countSleeping(marker) === 1 || undefined);
  process.kill(findParent(marker), 'SIGKILL');
  expect(await running).toMatchObject({ code: null, error: { message: 'the spawner ended (SIGKILL)' } });
  expect(await own.runProcess(sh('exit 7'), signal)).toMatchObject({ code: 7 });
  process.kill(-findGroup(marker), 'SIGKILL');
});

testOnLinux('SIGTERM and Ctrl-C do not end the spawner: its parent stops in order', async () => {
  await using own = createSpawner();
  const { stdout } = await own.runProcess(sh('echo $PPID'), signal);
  for (const kind of ['SIGINT', 'SIGTERM'] as const) process.kill(Number(Buffer.from(stdout).toString()), kind);
  expect(await own.runProcess(sh('echo $PPID'), signal)).toMatchObject({ stdout: expect.objectContaining(stdout) });
});

testOnLinux('what the spawner runs ends with the parent, however that ends', async () => {
  const marker = createMarker();
  const program = `
    import { createSpawner } from '${new URL('../../../src/git/processes/create-spawner.ts', import.meta.url)}';
    const request = ${JSON.stringify(sh(`sleep ${marker}`))};
    await createSpawner().runProcess(request, new AbortController().signal);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  await eventually(() => countSleeping(marker) === 1 || undefined);
  const spawnerId = findParent(marker);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually(() => (countSleeping(marker) === 0 && !isRunning(spawnerId)) || undefined);
});

test('a spawner does not keep its process alive', async () => {
  const program = `
    import { createSpawner } from '${new URL('../../../src/git/processes/create-spawner.ts', import.meta.url)}';
    console.log((await createSpawner().runProcess(${JSON.stringify(sh('exit 7'))}, new AbortController().signal)).code);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = (await child.stdout.toArray()).join('');
  expect([output, child.exitCode ?? (await once(child, 'exit'))[0]]).toEqual(['7\n', 0]);
});

test('a process that still runs when the spawner is disposed ends as one that did not start', async () => {
  const own = createSpawner();
  const running = own.runProcess(sh('sleep 60'), signal);
  await own[Symbol.asyncDispose]();
  expect(await running).toMatchObject({ code: null, error: { message: 'the spawner was disposed' } });
});

const createMarker = () => `${process.pid}${performance.now()}`.replace('.', '').slice(-9);

const listProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, ppid = '', pgrp = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(pid), ppid: Number(ppid), pgrp: Number(pgrp), line }];
      } catch {
        return [];
      }
    });

const findSleeping = (marker: string) => listProcesses().filter(({ line }) => line === `sleep ${marker}`);
const countSleeping = (marker: string) => findSleeping(marker).length;
const findGroup = (marker: string) => findSleeping(marker)[0]?.pgrp ?? 0;
const isRunning = (wanted: number) => listProcesses().some(({ pid, line }) => pid === wanted && line !== '');

/** The spawner: what started the shell that sleeps. */
function findParent(marker: string): number {
  const all = listProcesses();
  const shell = all.find(({ pid }) => pid === findGroup(marker));
  return shell?.ppid ?? 0;
}
