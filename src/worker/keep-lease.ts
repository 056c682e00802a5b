import { LeaseLost, StopRequested } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import { type Lease, leaseMs, renewEveryMs, renewLease } from '../store/lease.ts';

/** A lease being renewed for as long as it is not disposed. */
export interface KeptLease extends Disposable {
  /** Aborts with `LeaseLost`, `StopRequested`, or what `stop` was given. Nothing in the holder's name outlives it. */
  signal: AbortSignal;
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
  const lost = (why: string) => ending.abort(new LeaseLost(`the lease ${lease.epoch} on ${lease.jobId} ${why}`));
  let expiry = setTimeout(lost, leaseMs, 'ran out');
  let isRenewing = false;

  async function renew() {
    if (isRenewing || ending.signal.aborted) return;
    isRenewing = true;
    const askedAt = performance.now();
    try {
      const renewal = await renewLease(database, lease);
      if (renewal.kind === 'lost') lost('was taken by another worker or ended by a story');
      else if (renewal.stopRequested) ending.abort(new StopRequested('the run was asked to stop'));
      else {
        clearTimeout(expiry);
        expiry = setTimeout(lost, leaseMs - (performance.now() - askedAt), 'ran out');
      }
    } catch (error) {
      log.warn({ err: error, jobId: lease.jobId }, 'a lease could not be renewed');
    } finally {
      isRenewing = false;
      if (ending.signal.aborted) clearTimeout(expiry);
    }
  }

  const beat = setInterval(renew, renewEveryMs);
  return {
    signal: ending.signal,
    check: () => void renew(),
    stop: (reason) => ending.abort(reason),
    [Symbol.dispose]() {
      clearInterval(beat);
      clearTimeout(expiry);
      ending.abort(new LeaseLost(`the lease ${lease.epoch} on ${lease.jobId} is no longer kept`));
    },
  };
}
