import { createFairQueue } from './fair-queue.ts';
import {
  type RequestOptions,
  type StatefulThread,
  startStatefulThread,
  ThreadsBusy,
  ThreadTimeout,
} from './stateful-thread.ts';

/** A pure module with state: it exports a function `name`, which returns a function that answers one request after another. */
interface SessionModule {
  module: string;
  name: string;
}

/** Sends one request to the thread. `transfer`: buffers of the request that the thread takes over. */
type Send = <Answer>(request: unknown, options?: { transfer?: RequestOptions['transfer'] }) => Promise<Answer>;

/** `owner`: one request of an owner at a time. `prepare` fills a new thread before its first request, and again whenever its thread was ended. */
export interface OpenSession {
  session: SessionModule;
  owner: string;
  prepare(send: Send, signal: AbortSignal): Promise<void>;
}

/** State in a thread, for one run. Disposing forgets it. */
interface Session<Request> extends AsyncDisposable {
  /** Throws `ThreadFailure`, `ThreadsBusy`, the signal's reason, or what `prepare` or the module throws. The next request works again. */
  ask<Answer>(request: Request, signal: AbortSignal): Promise<Answer>;
}

/**
 * A thread that `prepare` has filled is kept for the next request, until others need its place or it was idle for long. After its session, and
 * where others need its place, an emptied thread serves another session of the same module: loading the code takes longer than filling it.
 */
export function createThreadSessions(parts: {
  maxRunning: number;
  maxWaiting: number;
  /** Running or idle. */
  maxThreads?: number;
  maxHeapMb?: number;
  /** `sessionRequestMs`: on a processor. `longestRequestMs`: on the clock. */
  timing: { loadMs: number; sessionRequestMs: number; longestRequestMs: number; sessionIdleMs: number };
}) {
  const {
    maxRunning,
    maxWaiting,
    timing: { loadMs, sessionRequestMs, longestRequestMs, sessionIdleMs },
  } = parts;
  const { maxThreads = Math.max(4, maxRunning), maxHeapMb = 512 } = parts;
  const queue = createFairQueue({ slots: maxRunning, maxWaiting });
  /** The least recently used first. */
  const idle = new Map<symbol, { thread: StatefulThread; timer: NodeJS.Timeout; module: string; isEmpty: boolean }>();
  const closing = new AbortController();
  let running = 0;

  function take(key: symbol): StatefulThread | undefined {
    const found = idle.get(key);
    idle.delete(key);
    clearTimeout(found?.timer);
    return found?.thread.isGone() ? undefined : found?.thread;
  }

  function keep(key: symbol, thread: StatefulThread, module: string, isEmpty = false): void {
    const timer = setTimeout(() => void take(key)?.[Symbol.asyncDispose](), sessionIdleMs).unref();
    idle.set(key, { thread, timer, module, isEmpty });
  }

  /** An empty thread of the module; where no other may start, also one of another session. */
  async function takeLoaded(module: string): Promise<StatefulThread | undefined> {
    const loaded = [...idle].filter(([, entry]) => entry.module === module && !entry.thread.isGone());
    const [key, entry] = loaded.find(([, { isEmpty }]) => isEmpty) ?? (hasRoom() ? [] : (loaded[0] ?? []));
    const thread = key && take(key);
    return entry?.isEmpty || (thread && (await empty(thread))) ? thread : undefined;
  }

  /** Ends a thread that cannot be emptied. */
  async function empty(thread: StatefulThread): Promise<boolean> {
    try {
      await thread.empty(AbortSignal.any([closing.signal, AbortSignal.timeout(sessionRequestMs)]));
      return true;
    } catch {
      await thread[Symbol.asyncDispose]();
      return false;
    }
  }

  const hasRoom = () => idle.size + running <= maxThreads;

  async function makeRoom(): Promise<void> {
    for (const key of idle.keys()) {
      if (hasRoom()) return;
      await take(key)?.[Symbol.asyncDispose]();
    }
  }

  function open<Request>({ session, owner, prepare }: OpenSession): Session<Request> {
    const key = Symbol(owner);
    const disposing = new AbortController();

    async function ask<Answer>(request: Request, callerSignal: AbortSignal): Promise<Answer> {
      const stopped = AbortSignal.any([callerSignal, disposing.signal, closing.signal]);
      using turn = await queue.enter(owner, stopped);
      if (turn === undefined) throw new ThreadsBusy(`could not ask ${session.name}: ${maxWaiting} wait already`);
      running += 1;
      try {
        const filled = take(key);
        const thread = filled ?? (await takeLoaded(session.module)) ?? (await startAnother(stopped));
        using limit = thread.limit({ cpuMs: sessionRequestMs, longestMs: longestRequestMs });
        return await within(limit.signal, stopped, async (signal) => {
          if (!filled) await fill(thread, signal);
          try {
            return await thread.request<Answer>(request, { signal });
          } finally {
            if (disposing.signal.aborted) await thread[Symbol.asyncDispose]();
            else if (!thread.isGone()) keep(key, thread, session.module);
          }
        });
      } finally {
        running -= 1;
      }
    }

    async function fill(thread: StatefulThread, signal: AbortSignal): Promise<void> {
      try {
        await prepare((request, { transfer } = {}) => thread.request(request, { signal, transfer }), signal);
      } catch (error) {
        await thread[Symbol.asyncDispose]();
        throw error;
      }
    }

    /** Loads its code before the time of a request counts. */
    async function startAnother(stopped: AbortSignal): Promise<StatefulThread> {
      await makeRoom();
      const thread = startStatefulThread(session, { maxHeapMb });
      await within(AbortSignal.timeout(loadMs), stopped, (signal) => thread.empty(signal));
      return thread;
    }

    async function within<T>(
      limit: AbortSignal,
      stopped: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      try {
        return await work(AbortSignal.any([stopped, limit]));
      } catch (error) {
        stopped.throwIfAborted();
        if (!limit.aborted) throw error;
        throw new ThreadTimeout(`${session.name} took too long`, { cause: limit.reason });
      }
    }

    return {
      ask,
      async [Symbol.asyncDispose]() {
        disposing.abort(new Error(`the session of ${owner} is closed`));
        const thread = take(key);
        if (thread && (await empty(thread))) keep(Symbol(session.module), thread, session.module, true);
      },
    };
  }

  return {
    open,
    async close() {
      closing.abort(new Error('the threads are closed'));
      await Promise.all([...idle.keys()].map((key) => take(key)?.[Symbol.asyncDispose]()));
    },
    countThreads: () => idle.size + running,
  };
}
