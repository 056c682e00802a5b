import { setTimeout as delay } from 'node:timers/promises';
import { createSilentLog } from '../src/log.ts';
import { type Connection, createDatabase, type Database } from '../src/store/postgres/database.ts';
import { type Notifications, receiveNotifications } from '../src/store/postgres/notifications.ts';
import { inLease, type Lease, releaseLease } from '../src/store/schedule/lease.ts';
import { receiveWakeUps } from '../src/store/schedule/workers.ts';
import { updateJob } from '../src/store/tables/jobs/jobs.ts';
import { createWorker } from '../src/worker/worker.ts';

/** One stay of a job on a slot, in milliseconds of `performance.now()`. */
export interface Stint {
  jobId: string;
  projectId: string;
  startedAt: number;
  /** Infinity: not yet. */
  endedAt: number;
}

/** What becomes of a run: it ends, waits for something outside and comes again, or breaks. */
export type Fate = 'ends' | 'parks' | 'breaks';

interface Runs {
  concurrency: number;
  projectConcurrency?: number;
  runMs: number;
  fateOf?: (lease: Lease) => Fate;
  onStart?: (stint: Stint) => void;
  onEnd?: (stint: Stint) => void;
}

const log = createSilentLog();

/** Workers as the service builds them, whose runs only take their time: as many processes' worth of them, each with connections of its own. */
export async function startFakeRuns(connection: Connection, { processes = 1, ...runs }: Runs & { processes?: number }) {
  await using cleanup = new AsyncDisposableStack();
  const stints: Stint[] = [];
  for (let count = 0; count < processes; count += 1) {
    const database = createDatabase({ connection, log });
    cleanup.defer(() => database.destroy());
    const notifications = cleanup.use(receiveNotifications({ connection, log }));
    const worker = startWorker({ database, notifications }, { ...runs, stints });
    cleanup.defer(() => worker.stop());
  }
  const held = cleanup.move();
  return describeRuns(stints, () => held.disposeAsync());
}

const describeRuns = (stints: Stint[], end: () => Promise<void>) => ({
  /** In the order of their start. */
  stints: stints as readonly Stint[],
  countEnded: () => stints.filter(({ endedAt }) => endedAt < Infinity).length,
  [Symbol.asyncDispose]: end,
});

function startWorker(
  { database, notifications }: { database: Database; notifications: Notifications },
  {
    concurrency,
    projectConcurrency = 0,
    runMs,
    fateOf = () => 'ends',
    onStart = () => {},
    onEnd = () => {},
    stints,
  }: Runs & { stints: Stint[] },
) {
  const worker = createWorker({ database, name: 'fake', concurrency, projectConcurrency, execute, log });
  receiveWakeUps(notifications, 'fake', worker.claimDueJobs);
  return worker;

  async function execute(lease: Lease) {
    const { jobId, projectId } = lease;
    const stint: Stint = { jobId, projectId, startedAt: performance.now(), endedAt: Infinity };
    stints.push(stint);
    onStart(stint);
    await delay(runMs);
    const fate = fateOf(lease);
    if (fate === 'ends') {
      const ended = { status: 'completed', due_at: null, lease_owner: null, lease_until: null } as const;
      await inLease(database, lease, (tx) => updateJob(tx, jobId, ended));
    }
    if (fate === 'parks') await releaseLease(database, lease, { delayMs: 0 });
    stint.endedAt = performance.now();
    onEnd(stint);
    if (fate === 'breaks') throw new Error('the run broke');
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

/** How many of them were at work at once, at the most. */
export function countAtOnce(stints: readonly Stint[]): number {
  const changes = stints.flatMap(({ startedAt, endedAt }) => [
    { at: startedAt, by: 1 },
    { at: endedAt, by: -1 },
  ]);
  let live = 0;
  return Math.max(0, ...changes.toSorted((a, b) => a.at - b.at || a.by - b.by).map(({ by }) => (live += by)));
}
