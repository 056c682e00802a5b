import { type StatefulThread, startStatefulThread, ThreadOutOfMemory, ThreadTimeout } from './stateful-thread.ts';
import { openTasks, type TaskRequest } from './task-entry.ts';

interface Task {
  module: string;
  name: string;
  input: unknown;
  transfer: ArrayBuffer[];
}

/** A thread of the pool, and the modules that it has loaded. */
interface LoadedThread {
  thread: StatefulThread;
  modules: Set<string>;
}

const entry = { module: import.meta.resolve('./task-entry.ts'), name: openTasks.name };

/** A thread for each task that runs, kept for the next one until it was idle for long. The caller bounds how many run. */
export function createTaskPool(options: {
  maxHeapMb: number;
  timing: { loadMs: number; taskTimeoutMs: number; longestRequestMs: number; idleMs: number };
}) {
  const {
    maxHeapMb,
    timing: { loadMs, taskTimeoutMs, longestRequestMs, idleMs },
  } = options;
  /** The most recently used last. */
  const idle = new Map<LoadedThread, NodeJS.Timeout>();
  const closing = new AbortController();
  let running = 0;

  /** One that has loaded the module, or the one that was used last: so the others can end. */
  function take(module: string): LoadedThread {
    const kept = [...idle.keys()].reverse().filter(({ thread }) => !thread.isGone());
    const found = kept.find(({ modules }) => modules.has(module)) ?? kept[0];
    if (found === undefined) return { thread: startStatefulThread(entry, { maxHeapMb }), modules: new Set() };
    forget(found);
    return found;
  }

  function forget(kept: LoadedThread): void {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
  }

  async function end(kept: LoadedThread): Promise<void> {
    forget(kept);
    await kept.thread[Symbol.asyncDispose]();
  }

  async function run<Output>(task: Task, callerSignal: AbortSignal): Promise<Output> {
    const signal = AbortSignal.any([callerSignal, closing.signal]);
    signal.throwIfAborted();
    const taken = take(task.module);
    running += 1;
    try {
      await load(taken, task.module, signal);
      return await answer<Output>(taken.thread, task, signal);
    } finally {
      running -= 1;
      if (!taken.thread.isGone()) idle.set(taken, setTimeout(() => void end(taken), idleMs).unref());
    }
  }

  async function load({ thread, modules }: LoadedThread, module: string, signal: AbortSignal): Promise<void> {
    if (modules.has(module)) return;
    const limit = AbortSignal.timeout(loadMs);
    const request = { kind: 'load', module } satisfies TaskRequest;
    await within(limit, module, () => thread.request(request, { signal: AbortSignal.any([signal, limit]) }));
    modules.add(module);
  }

  async function answer<Output>(thread: StatefulThread, task: Task, signal: AbortSignal): Promise<Output> {
    const { transfer, ...rest } = task;
    const request = { kind: 'run', ...rest } satisfies TaskRequest;
    using limit = thread.limit({ cpuMs: taskTimeoutMs, longestMs: longestRequestMs });
    const limited = AbortSignal.any([signal, limit.signal]);
    return await within(limit.signal, task.name, () => thread.request<Output>(request, { signal: limited, transfer }));
  }

  return {
    run,
    async close() {
      closing.abort(new Error('the threads are closed'));
      await Promise.all([...idle.keys()].map(end));
    },
    countThreads: () => idle.size + running,
  };
}

async function within<T>(limit: AbortSignal, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ThreadOutOfMemory)
      throw new ThreadOutOfMemory(`${what} took too much memory`, { cause: error });
    if (!limit.aborted || error !== limit.reason) throw error;
    throw new ThreadTimeout(`${what} took too long`, { cause: error });
  }
}
