import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { hasCode } from '../errors.ts';

/** `module` exports `name`: a function that opens an empty state and returns a function that answers requests from it. */
interface StatefulThreadModule {
  module: string;
  name: string;
}

export type StatefulThreadData = StatefulThreadModule & { cacheDirectory: string | undefined };

/** `empty`: opens a new state in place of the old one. */
export type StatefulThreadMessage = { kind: 'request'; request: unknown } | { kind: 'empty' };

export type StatefulThreadReply<Answer = unknown> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'thrown'; error: unknown };

/** Buffers that the thread takes over without a copy. */
type Transfer = readonly ArrayBuffer[];

/** One request at a time. After an abort or a `ThreadFailure` the thread is gone. */
export interface StatefulThread extends AsyncDisposable {
  isGone(): boolean;
  /** Aborts once the thread has used `cpuMs` of a processor from now on, or after `longestMs` on the clock. */
  limit(times: { cpuMs: number; longestMs: number }): Disposable & { signal: AbortSignal };
  request<Answer>(request: unknown, options: RequestOptions): Promise<Answer>;
  /** Forgets its state, so that another session can have the thread. */
  empty(signal: AbortSignal): Promise<void>;
}

export interface RequestOptions {
  signal: AbortSignal;
  transfer?: Transfer | undefined;
}

/** A thread that keeps state between requests. It has no variable of the environment, and does not keep the process alive. */
export function startStatefulThread(
  module: StatefulThreadModule,
  { maxHeapMb }: { maxHeapMb: number },
): StatefulThread {
  const worker = new Worker(new URL('./stateful-thread-entry.ts', import.meta.url), {
    // Loading compiled code takes half the time; where the process caches none, neither does the thread.
    workerData: { ...module, cacheDirectory: getCompileCacheDir() } satisfies StatefulThreadData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let isGone = false;
  let fail: (error: unknown) => void = () => {};
  worker.on('error', (error) => {
    isGone = true;
    fail(
      isOutOfMemory(error)
        ? new ThreadOutOfMemory(`${module.name} took too much memory`, { cause: error })
        : new ThreadFailure(`the thread of ${module.name} failed`, { cause: error }),
    );
  });
  worker.on('exit', () => {
    isGone = true;
    fail(new ThreadFailure(`the thread of ${module.name} ended`));
  });
  worker.unref();

  async function readCpuMs(): Promise<number> {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  }

  async function end(): Promise<void> {
    isGone = true;
    await worker.terminate();
  }

  async function send<Answer>(
    message: StatefulThreadMessage,
    { signal, transfer = [] }: RequestOptions,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<StatefulThreadReply<Answer>>();
    const abort = () => reject(signal.reason);
    fail = reject;
    worker.once('message', resolve);
    signal.addEventListener('abort', abort, { once: true });
    worker.ref();
    try {
      worker.postMessage(message, [...transfer]);
      const reply = await promise;
      if (reply.kind === 'thrown') throw reply.error;
      return reply.answer;
    } finally {
      worker.unref();
      worker.off('message', resolve);
      signal.removeEventListener('abort', abort);
      fail = () => {};
      if (signal.aborted) await end();
    }
  }

  return {
    isGone: () => isGone,
    limit: (times) => limitCpu(readCpuMs, times),
    request: (request, options) => send({ kind: 'request', request }, options),
    empty: (signal) => send({ kind: 'empty' }, { signal }),
    [Symbol.asyncDispose]: end,
  };
}

/** The task did not end, and neither will it when it runs again. Its thread is gone; the process is not affected. */
export class ThreadFailure extends Error {}

export class ThreadTimeout extends ThreadFailure {
  override readonly name = 'ThreadTimeout';
}

export class ThreadOutOfMemory extends ThreadFailure {
  override readonly name = 'ThreadOutOfMemory';
}

/** Too many tasks wait: this one may run later. Not a failure of the task. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

const isOutOfMemory = (error: unknown): boolean => hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY');

const leastPauseMs = 50;

/**
 * On a busy machine a thread waits for its turn: by the clock alone, its work would end without having had the time. `readCpuMs`: what the
 * thread has used since its start.
 */
function limitCpu(
  readCpuMs: () => Promise<number>,
  { cpuMs, longestMs }: { cpuMs: number; longestMs: number },
): Disposable & { signal: AbortSignal } {
  const limit = new AbortController();
  const abort = (ms: number, where: string) => limit.abort(new Error(`longer than ${ms} ms ${where}`));
  // A thread that has ended has no usage: its request ends by itself.
  const read = () => readCpuMs().catch(() => 0);
  const before = read();
  let isOver = false;
  const backstop = setTimeout(() => abort(longestMs, 'on the clock'), longestMs);
  // A thread uses no more of a processor than passes on the clock.
  let timer = setTimeout(() => void look(), cpuMs);

  async function look(): Promise<void> {
    const leftMs = cpuMs - ((await read()) - (await before));
    if (isOver) return;
    if (leftMs <= 0) abort(cpuMs, 'on a processor');
    else timer = setTimeout(() => void look(), Math.max(leftMs, leastPauseMs));
  }

  return {
    signal: limit.signal,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(backstop);
    },
  };
}
