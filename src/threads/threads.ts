import { availableParallelism } from 'node:os';
import { realTiming, type Timing } from '../timing.ts';
import { createFairQueue } from './fair-queue.ts';
import { ThreadsBusy } from './stateful-thread.ts';
import { createTaskPool } from './task-pool.ts';
import { createThreadSessions } from './thread-sessions.ts';

export { ThreadFailure, ThreadOutOfMemory, ThreadsBusy, ThreadTimeout } from './stateful-thread.ts';

/** A pure function that can run in a thread: `module` (`import.meta.url`) exports it under its own name. Input and output are cloned. */
export interface ThreadTask<Input, Output> {
  module: string;
  work: (input: Input) => Output | Promise<Output>;
  /** A thread costs a millisecond, its start fifty: small inputs run inline. */
  isSmall?: (input: Input) => boolean;
  /** A caller outside waits for the answer: it never waits for a task that is not urgent. For tasks of linear time only. */
  isUrgent?: boolean;
  /** Buffers that move to the thread instead of being cloned: the caller can no longer use them. */
  transfer?: (input: Input) => ArrayBuffer[];
}

/** `run`, for one owner. */
export type RunTask = <Input, Output>(
  task: ThreadTask<Input, Output>,
  input: Input,
  signal: AbortSignal,
) => Promise<Output>;

/** Runs a task in the caller's thread: for tests, and for small inputs. */
export const runInline: RunTask = async ({ work }, input) => work(input);

/** `owner`: tasks of the same owner, for instance a run's id, run one after another, so that no run occupies all threads. */
export interface RunInThread {
  signal: AbortSignal;
  owner?: string;
}

/** One core stays free for the event loop. There are two at least: a task that hangs occupies one for seconds. */
const mostThreads = Math.max(2, Math.min(4, availableParallelism() - 1));

/**
 * For work that would hold the event loop for more than 20 ms. `run` throws `ThreadTimeout`, `ThreadOutOfMemory` or `ThreadsBusy`, the
 * signal's reason, or what the task throws. Threads start when they are needed and end when they are idle.
 */
export function createThreads(
  options: { maxThreads?: number; maxWaiting?: number; maxHeapMb?: number; timing?: Partial<Timing['threads']> } = {},
) {
  const { maxThreads = mostThreads, maxWaiting = 256, maxHeapMb = 256, timing = {} } = options;
  const paces = { ...realTiming.threads, ...timing };
  const queue = createFairQueue({ slots: maxThreads, maxWaiting });
  const urgentQueue = createFairQueue({ slots: 1, maxWaiting });
  const pool = createTaskPool({ maxHeapMb, timing: paces });
  const sessions = createThreadSessions({ maxRunning: maxThreads, maxWaiting, timing: paces });

  async function run<Input, Output>(
    { module, work, isSmall, isUrgent = false, transfer }: ThreadTask<Input, Output>,
    input: Input,
    { signal, owner }: RunInThread,
  ): Promise<Output> {
    if (isSmall?.(input)) return work(input);
    using turn = await (isUrgent ? urgentQueue : queue).enter(owner ?? Symbol('nobody'), signal);
    if (turn === undefined) throw new ThreadsBusy(`could not run ${work.name}: ${maxWaiting} tasks wait already`);
    return await pool.run<Output>({ module, name: work.name, input, transfer: transfer?.(input) ?? [] }, signal);
  }

  return {
    run,
    openSession: sessions.open,
    async close() {
      await Promise.all([sessions.close(), pool.close()]);
    },
    countThreads: pool.countThreads,
  };
}

export type Threads = ReturnType<typeof createThreads>;

export const runFor =
  (threads: { run: Threads['run'] }, owner: string): RunTask =>
  (task, input, signal) =>
    threads.run(task, input, { signal, owner });
