import type { Notifications } from '../store/postgres/notifications.ts';
import { projectChannel } from '../store/tables/jobs/events.ts';
import type { Timing } from '../timing.ts';

/** Says that the jobs of a project may have changed: one was created, or its status or pull request is another. */
export interface ProjectFeed extends Disposable {
  /**
   * Yields a number at once, and a higher one after each notification of a change; those that come together count as one. Data that is read
   * under the same number may be shared. Ends when `signal` aborts.
   */
  watch(options: { projectId: string; signal: AbortSignal }): AsyncGenerator<number>;
}

export function createProjectFeed(parts: {
  notifications: { on: Notifications['on'] };
  timing: Timing['events'];
}): ProjectFeed {
  const { notifications, timing } = parts;
  const watched = new Map<string, Set<() => void>>();
  let version = 0;

  function wake(projectId: string): void {
    version += 1;
    for (const waker of watched.get(projectId) ?? []) waker();
  }
  notifications.on(projectChannel, wake);
  // A notification may be lost.
  const looking = setInterval(() => {
    for (const projectId of watched.keys()) wake(projectId);
  }, timing.heartbeatEveryMs);

  return {
    async *watch({ projectId, signal }) {
      let sign = Promise.withResolvers<void>();
      const waker = () => sign.resolve();
      const wakers = watched.get(projectId) ?? new Set();
      watched.set(projectId, wakers.add(waker));
      signal.addEventListener('abort', waker, { once: true });
      try {
        while (!signal.aborted) {
          sign = Promise.withResolvers();
          yield version;
          await sign.promise;
        }
      } finally {
        signal.removeEventListener('abort', waker);
        wakers.delete(waker);
        if (wakers.size === 0) watched.delete(projectId);
      }
    },
    [Symbol.dispose]() {
      clearInterval(looking);
    },
  };
}
