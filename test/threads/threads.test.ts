import { expect, onTestFinished, test } from 'vitest';
import {
  createThreads,
  ThreadOutOfMemory,
  ThreadsBusy,
  type ThreadTask,
  ThreadTimeout,
} from '../../src/threads/threads.ts';
import { halve } from './slow-to-load.ts';
import { double, fail, fillMemory, never, readEnvironment, wait } from './tasks.ts';

const module = import.meta.resolve('./tasks.ts');
const task = <Input, Output>(work: (input: Input) => Output): ThreadTask<Input, Output> => ({ module, work });
const signal = new AbortController().signal;

function openThreads({
  taskTimeoutMs = 30_000,
  longestRequestMs = 60_000,
  idleMs = 30_000,
  ...options
}: Partial<Options> = {}) {
  const threads = createThreads({ maxThreads: 2, timing: { taskTimeoutMs, longestRequestMs, idleMs }, ...options });
  onTestFinished(threads.close);
  return threads;
}
interface Options {
  taskTimeoutMs: number;
  longestRequestMs: number;
  idleMs: number;
  maxThreads: number;
  maxWaiting: number;
  maxHeapMb: number;
}

test('a task runs in a thread and gives its result, or throws its own error', async () => {
  const threads = openThreads();
  expect(await threads.run(task(double), 21, { signal })).toBe(42);
  await expect(threads.run(task(fail), 'no', { signal })).rejects.toThrow(new TypeError('no'));
});

test('promise 4: a thread has no variable of the environment', async () => {
  const threads = openThreads();
  expect(await threads.run(task(readEnvironment), null, { signal })).toEqual([]);
});

test('promise 7: a task that never ends is ended, and the event loop goes on meanwhile', async () => {
  const threads = openThreads({ taskTimeoutMs: 2_000, maxThreads: 1 });
  const ended = threads.run(task(never), null, { signal });
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 5);
  await expect(ended).rejects.toBeInstanceOf(ThreadTimeout);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(5);
  expect(await threads.run(task(double), 1, { signal })).toBe(2);
});

test('a task that waits for a processor is not ended: its own time counts', async () => {
  const threads = openThreads({ taskTimeoutMs: 100 });
  expect(await threads.run(task(wait), 500, { signal })).toBe(500);
});

test('promise 7: a task that only waits ends by the clock', async () => {
  const threads = openThreads({ longestRequestMs: 50 });
  await expect(threads.run(task(wait), 2_000, { signal })).rejects.toBeInstanceOf(ThreadTimeout);
});

test('the time limit is for the task, not for loading its code', async () => {
  const threads = openThreads({ taskTimeoutMs: 300 });
  const slow = { module: import.meta.resolve('./slow-to-load.ts'), work: halve };
  expect(await threads.run(slow, 42, { signal })).toBe(21);
});

test('promise 7: a task that fills its memory ends alone', async () => {
  const threads = openThreads({ maxHeapMb: 16, maxThreads: 1 });
  await expect(threads.run(task(fillMemory), null, { signal })).rejects.toBeInstanceOf(ThreadOutOfMemory);
  expect(await threads.run(task(double), 1, { signal })).toBe(2);
});

test('promise 7: an owner with many tasks leaves a thread to the others', async () => {
  const threads = openThreads();
  const hijacked = new AbortController();
  const stuck = Array.from({ length: 20 }, () =>
    threads.run(task(never), null, { signal: hijacked.signal, owner: 'run_1' }),
  );
  expect(await threads.run(task(double), 1, { signal, owner: 'run_2' })).toBe(2);
  hijacked.abort(new Error('over'));
  const ends = await Promise.allSettled(stuck);
  expect(ends.map((end) => end.status === 'rejected' && end.reason)).toEqual(stuck.map(() => new Error('over')));
});

test('promise 42: an urgent task waits for no other task', async () => {
  const threads = openThreads({ maxThreads: 1, maxWaiting: 1 });
  const controller = new AbortController();
  const stuck = [never, never].map((work) => threads.run(task(work), null, { signal: controller.signal }));
  expect(await threads.run({ ...task(double), isUrgent: true }, 1, { signal })).toBe(2);
  controller.abort(new Error('over'));
  await Promise.allSettled(stuck);
});

test('a task beyond the queue is refused at once', async () => {
  const threads = openThreads({ maxThreads: 1, maxWaiting: 1 });
  const controller = new AbortController();
  const stuck = [never, never].map((work) => threads.run(task(work), null, { signal: controller.signal }));
  await expect(threads.run(task(double), 1, { signal })).rejects.toBeInstanceOf(ThreadsBusy);
  controller.abort(new Error('over'));
  await Promise.allSettled(stuck);
});

test('an idle thread ends', async () => {
  const threads = openThreads({ idleMs: 20 });
  await threads.run(task(double), 1, { signal });
  await expect.poll(threads.countThreads).toBe(0);
});

test('an aborted signal ends a task with its reason', async () => {
  const threads = openThreads();
  const controller = new AbortController();
  const running = threads.run(task(never), null, { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  await expect(threads.run(task(double), 1, { signal: controller.signal })).rejects.toThrow('stopped');
});
