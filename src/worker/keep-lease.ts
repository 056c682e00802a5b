import { LeaseLost, StopRequested } from '../errors.ts';
import type { Log } from '../log.ts';
import { readInTime } from '../store/availability.ts';
import type { Database } from '../store/database.ts';
import { type Lease, leaseMs, renewEveryMs, renewLease } from '../store/lease.ts';

/** A lease being renewed for as long as it is not disposed. Nothing in the holder's name outlives its signals. */
export interface KeptLease extends Disposable {
  /** Aborts with `LeaseLost`, `StopRequested`, or what `stop` was given: the work ends here. */
  signal: AbortSignal;
  /** Aborts with `LeaseLost` only: what must not be left half done goes on until then. */
  lost: AbortSignal;
  /** Renews now instead of at the next beat, to learn at once what has changed. */
  check(): void;
  stop(reason: Error): void;
}

/**
 * Renews a lease every two seconds. It is also lost when it could not be renewed before it ran out, by this machine's own
 * clock and counted from before the last good renewal was asked for: from then on somebody else may hold the job.
 */
export function keepLease({ database, lease, log }: { database: Database; lease: Lease; log: Log }): KeptLease {
  const ending = new AbortController();
  const losing = new AbortController();
  const lose = (why: string) => losing.abort(new LeaseLost(`the lease ${lease.epoch} on ${lease.jobId} ${why}`));
  let expiry = setTimeout(lose, leaseMs, 'ran out');
  let isRenewing = false;
  let isAskedAgain = false;

  /** One at a time; who asks during one gets another, for what it asked about may have been missed. */
  async function renew() {
    isAskedAgain = true;
    if (isRenewing) return;
    isRenewing = true;
    while (isAskedAgain && !losing.signal.aborted) {
      isAskedAgain = false;
      await renewOnce().catch((error) => log.warn({ err: error, jobId: lease.jobId }, 'a lease could not be renewed'));
    }
    isRenewing = false;
  }

  async function renewOnce() {
    const askedAt = performance.now();
    // A connection that went silent is not waited for: the next beat may get another one.
    const renewal = await readInTime(renewLease(database, lease));
    if (renewal.kind === 'lost') return lose('was taken by another worker or ended by a story');
    if (renewal.stopRequested) ending.abort(new StopRequested('the run was asked to stop'));
    clearTimeout(expiry);
    if (!losing.signal.aborted) expiry = setTimeout(lose, leaseMs - (performance.now() - askedAt), 'ran out');
  }

  const beat = setInterval(renew, renewEveryMs);
  return {
    signal: AbortSignal.any([ending.signal, losing.signal]),
    lost: losing.signal,
    check: () => void renew(),
    stop: (reason) => ending.abort(reason),
    [Symbol.dispose]() {
      clearInterval(beat);
      clearTimeout(expiry);
      lose('is no longer kept');
    },
  };
}
