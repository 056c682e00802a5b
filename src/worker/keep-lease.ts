import { LeaseLost, StopRequested } from '../errors.ts';
import type { Log } from '../log.ts';
import type { RunSignals } from '../runs/run-signals.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { type Lease, leaseMs, renewEveryMs, renewLease } from '../store/schedule/lease.ts';
import { createSerialTask } from './serial-task.ts';

/** `taken`: another worker has the job, or it was archived. */
export type LossReason = 'ran_out' | 'taken';

/** A lease being renewed for as long as it is not disposed. Nothing in the holder's name outlives its signals. */
export interface KeptLease extends Omit<RunSignals, 'gone'>, Disposable {
  /** Renews now instead of at the next beat, to learn at once what has changed. */
  check(): void;
  /** The holder is going away: it is to let go now, for this reason, and of what is paid for after `graceMs`. Once; asking again changes nothing. */
  handOver(reason: Error, graceMs: number): void;
}

/**
 * Renews a lease every two seconds. It is also lost when it could not be renewed before it ran out, by this machine's own
 * clock and counted from before the claim or the last good renewal was asked for: from then on somebody else may hold the job.
 */
export function keepLease({
  database,
  lease,
  claimedAt,
  ask = (renew) => renew(),
  onLost = () => {},
  log,
}: {
  database: Database;
  lease: Lease;
  /** When it was asked for, by `performance.now()`. */
  claimedAt: number;
  /** What each renewal goes through, for whoever watches the database. */
  ask?: <T>(renew: () => Promise<T>) => Promise<T>;
  /** Called when a renewal, or the lack of one, shows that it is lost. */
  onLost?: (reason: LossReason) => void;
  log: Log;
}): KeptLease {
  const stopping = new AbortController();
  const leaving = new AbortController();
  const graceEnding = new AbortController();
  const losing = new AbortController();
  const lose = (why: string) => losing.abort(new LeaseLost(`the lease ${lease.epoch} on ${lease.jobId} ${why}`));
  let graceEnd: NodeJS.Timeout | undefined;
  const runOut = () => {
    lose('ran out');
    onLost('ran_out');
  };
  const runOutAfter = (askedAt: number) => setTimeout(runOut, leaseMs - (performance.now() - askedAt));
  let expiry = runOutAfter(claimedAt);

  async function renew() {
    const askedAt = performance.now();
    // A connection that went silent is not waited for: the next beat may get another one.
    const renewal = await ask(() => withDeadline(database, {}, (connection) => renewLease(connection, lease)));
    if (losing.signal.aborted) return;
    if (renewal.kind === 'lost') {
      lose('was taken by another worker or ended by a story');
      return onLost('taken');
    }
    if (renewal.stopRequested) stopping.abort(new StopRequested('the run was asked to stop'));
    clearTimeout(expiry);
    if (!losing.signal.aborted) expiry = runOutAfter(askedAt);
  }

  const renewals = createSerialTask({
    work: renew,
    onError: (error) => log.warn({ err: error, jobId: lease.jobId }, 'a lease could not be renewed'),
    signal: losing.signal,
  });
  const beat = setInterval(renewals.ask, renewEveryMs);
  return {
    signal: AbortSignal.any([leaving.signal, stopping.signal, losing.signal]),
    grace: AbortSignal.any([graceEnding.signal, stopping.signal, losing.signal]),
    lost: losing.signal,
    check: renewals.ask,
    handOver(reason, graceMs) {
      leaving.abort(reason);
      graceEnd ??= setTimeout(() => graceEnding.abort(reason), graceMs);
    },
    [Symbol.dispose]() {
      clearInterval(beat);
      clearTimeout(expiry);
      clearTimeout(graceEnd);
      lose('is no longer kept');
    },
  };
}
