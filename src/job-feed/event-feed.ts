import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Notifications } from '../store/postgres/notifications.ts';
import { eventChannel, listEvents, listNextEvents, type StoredEvent } from '../store/tables/jobs/events.ts';
import type { Timing } from '../timing.ts';

/** Events of jobs as they are committed, for any number of followers in this process. */
export interface EventFeed extends AsyncDisposable {
  /** Yields all events after `after`, in order, each once. Ends when `signal` aborts or the feed is disposed; waits while the database is down. */
  follow(options: { jobId: string; after: number; signal: AbortSignal }): AsyncGenerator<readonly StoredEvent[]>;
}

/** One job that is followed. */
interface Followed {
  /** Rises with each notification of new events. */
  version: number;
  /** By version and position: followers at the same place share a query. */
  reads: Map<string, Promise<readonly StoredEvent[]>>;
  wakers: Set<() => void>;
  /** As of the last look. */
  next: number | undefined;
}

const eventsAtOnce = 200;

/** Looks at the table from time to time: a notification may be lost. */
export function createEventFeed(parts: {
  database: Database;
  notifications: { on: Notifications['on'] };
  timing: Timing['events'];
  log: Log;
}): EventFeed {
  const { database, notifications, timing, log } = parts;
  const followed = new Map<string, Followed>();
  const stopping = new AbortController();

  function wake(jobId: string): void {
    const job = followed.get(jobId);
    if (!job) return;
    job.version += 1;
    for (const waker of job.wakers) waker();
  }

  async function look(): Promise<void> {
    if (followed.size === 0) return;
    const next = await withDeadline(database, {}, (connection) => listNextEvents(connection, [...followed.keys()]));
    for (const [jobId, job] of followed) {
      if (job.next !== next.get(jobId)) wake(jobId);
      job.next = next.get(jobId);
    }
  }

  const looking = setInterval(
    () => look().catch((error: unknown) => log.warn({ err: error }, 'could not look for events')),
    timing.lookEveryMs,
  );
  notifications.on(eventChannel, wake);

  function read(jobId: string, job: Followed, after: number): Promise<readonly StoredEvent[]> {
    // A read of an earlier version may have begun before the newest commit.
    const place = `${job.version}:${after}`;
    const current = job.reads.get(place);
    if (current) return current;
    const reading = withDeadline(database, {}, (connection) =>
      listEvents(connection, { jobId, after, limit: eventsAtOnce }),
    ).finally(() => job.reads.delete(place));
    job.reads.set(place, reading);
    return reading;
  }

  async function readPatiently(
    jobId: string,
    job: Followed,
    { after, signal }: { after: number; signal: AbortSignal },
  ) {
    for (;;) {
      try {
        return await read(jobId, job, after);
      } catch (error) {
        log.warn({ err: error, jobId }, 'could not read events');
        await pause(timing.retryMs, signal);
      }
    }
  }

  return {
    async *follow({ jobId, after, signal }) {
      const ending = AbortSignal.any([signal, stopping.signal]);
      const job = followed.get(jobId) ?? { version: 0, reads: new Map(), wakers: new Set(), next: undefined };
      followed.set(jobId, job);
      let waker = () => {};
      const wakeThis = () => waker();
      job.wakers.add(wakeThis);
      ending.addEventListener('abort', wakeThis, { once: true });
      try {
        for (let last = after; !ending.aborted; ) {
          const { version } = job;
          const events = await readPatiently(jobId, job, { after: last, signal: ending });
          const newest = events.at(-1);
          if (newest) {
            last = newest.seq;
            yield events;
          }
          if (events.length < eventsAtOnce && job.version === version && !ending.aborted)
            await new Promise<void>((resolve) => {
              waker = resolve;
            });
        }
      } catch (error) {
        if (!ending.aborted) throw error;
      } finally {
        ending.removeEventListener('abort', wakeThis);
        job.wakers.delete(wakeThis);
        if (job.wakers.size === 0) followed.delete(jobId);
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      stopping.abort();
    },
  };
}
