import { LeaseLost, StopRequested } from '../errors.ts';
import type { Log } from '../log.ts';
import type { LeaseSignals } from '../runs/run-context.ts';
import { createSerialTask } from '../serial-task.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { type Lease, renewLease } from '../store/schedule/lease.ts';
import { realTiming } from '../timing.ts';

export type LossReason = 'ran_out' | 'taken';

export interface KeptLease extends LeaseSignals, Disposable {
  /** A renewal reads the job's flags. */
  renew(): void;
  /** Aborts `work` now, and `grace` after `graceMs`. Idempotent. */
  handOver(reason: Error, graceMs: number): void;
}

/** The lease counts as lost once it may have expired, counted from when the claim or last successful renewal was sent. */
export function keepLease(options: {
  database: Database;
  lease: Lease;
  /** By `performance.now()`. */
  claimedAt: number;
  watch?: <T>(renew: () => Promise<T>) => Promise<T>;
  onLost?: (reason: LossReason) => void;
  log: Log;
}): KeptLease {
  const { database, lease, claimedAt, watch = (renew) => renew(), onLost = () => {}, log } = options;
  const stopping = new AbortController();
  const leaving = new AbortController();
  const graceEnding = new AbortController();
  const losing = new AbortController();
  const lose = (why: string) => losing.abort(new LeaseLost(`lease ${lease.epoch} on ${lease.jobId} ${why}`));
  let graceEnd: NodeJS.Timeout | undefined;
  const expire = () => {
    // After a freeze, a renewal may say first that the lease was taken.
    if (!losing.signal.aborted) onLost('ran_out');
    lose('expired');
  };
  const startExpiry = (sentAt: number) =>
    setTimeout(expire, realTiming.lease.durationMs - (performance.now() - sentAt));
  let expiry = startExpiry(claimedAt);

  async function renew() {
    const sentAt = performance.now();
    // The next renewal may get a connection that works.
    const renewal = await watch(() => withDeadline(database, {}, (connection) => renewLease(connection, lease)));
    if (losing.signal.aborted) return;
    if (renewal.kind === 'lost') {
      lose('was taken by another worker or ended');
      return onLost('taken');
    }
    if (renewal.stopRequested) stopping.abort(new StopRequested());
    clearTimeout(expiry);
    if (!losing.signal.aborted) expiry = startExpiry(sentAt);
  }

  const renewals = createSerialTask({
    work: renew,
    onError: (error) => log.warn({ err: error, jobId: lease.jobId }, 'could not renew a lease'),
    signal: losing.signal,
  });
  const timer = setInterval(renewals.request, realTiming.lease.renewEveryMs);
  return {
    work: AbortSignal.any([leaving.signal, stopping.signal, losing.signal]),
    grace: AbortSignal.any([graceEnding.signal, stopping.signal, losing.signal]),
    publish: losing.signal,
    renew: renewals.request,
    handOver(reason, graceMs) {
      leaving.abort(reason);
      graceEnd ??= setTimeout(() => graceEnding.abort(reason), graceMs);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clearTimeout(expiry);
      clearTimeout(graceEnd);
      lose('is no longer renewed');
    },
  };
}
