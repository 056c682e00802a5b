import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '../../src/log.ts';
import { updateJob } from '../../src/store/jobs.ts';
import { inLease, type Lease } from '../../src/store/lease.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorker } from '../../src/worker/worker.ts';

/** One stay of a job on a slot, in milliseconds of `performance.now()`. */
export interface Stint {
  jobId: string;
  projectId: string;
  startedAt: number;
  /** Infinity: not yet. */
  endedAt: number;
}

/** A worker as the service builds it, woken by the queue, whose runs only take their time. */
export async function startFakeRuns(
  { database, queue }: Store,
  { concurrency, runMs }: { concurrency: number; runMs: number },
) {
  const stints: Stint[] = [];
  const log = createLog({ level: 'silent', redact: (line) => line });
  const worker = createWorker({ database, name: 'fake', concurrency, execute, log });
  await queue.workWakeUps(worker.look);
  return {
    /** In the order of their start. */
    stints,
    countEnded: () => stints.filter(({ endedAt }) => endedAt < Infinity).length,
    [Symbol.asyncDispose]: () => worker.stop(),
  };

  async function execute(lease: Lease) {
    const { jobId, projectId } = lease;
    const stint: Stint = { jobId, projectId, startedAt: performance.now(), endedAt: Infinity };
    stints.push(stint);
    await delay(runMs);
    const ended = { status: 'completed', due_at: null, lease_owner: null, lease_until: null } as const;
    await inLease(database, lease, (tx) => updateJob(tx, jobId, ended));
    stint.endedAt = performance.now();
  }
}

/** The longest time for which a slot was free although jobs waited: all of them, since `since`. */
export function findLongestGap(
  stints: readonly Stint[],
  { concurrency, since }: { concurrency: number; since: number },
): number {
  let freeSince = Array.from({ length: concurrency }, () => since);
  const gaps = stints.map(({ startedAt, endedAt }) => {
    // Which slot it got is not known: at the worst the one that was free for longest.
    const [longest = since, ...others] = freeSince.toSorted((a, b) => a - b);
    freeSince = [...others, endedAt];
    return startedAt - Math.max(longest, since);
  });
  return Math.max(...gaps);
}
