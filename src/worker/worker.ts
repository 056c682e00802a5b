import { setTimeout as delay } from 'node:timers/promises';
import { HandedOver, LeaseLost } from '../errors.ts';
import type { Log } from '../log.ts';
import type { RunSignals } from '../runs/run-signals.ts';
import { type TakeStep, takeStepDirectly } from '../steps.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { retryUntilAvailable } from '../store/postgres/retry-until-available.ts';
import { type ClaimedLease, claimJob } from '../store/schedule/claim-job.ts';
import { type Lease, releaseLease } from '../store/schedule/lease.ts';
import { type KeptLease, keepLease, type LossReason } from './keep-lease.ts';
import { afterOutageMs, createOutageWatch } from './outage-watch.ts';
import { createSerialTask } from './serial-task.ts';

/** Claims due jobs while a slot is free, and works on each until its run ends, waits, or is taken away. */
export interface Worker {
  /** Says that a job may be due. Cheap, and never throws. */
  look(): void;
  /** Says that the flags of a job changed, in case this worker holds it. */
  check(jobId: string): void;
  /** How many jobs it works on right now. */
  live(): number;
  /**
   * Hands every live run over and resolves when all of them have let go. One that has lost its lease and hangs all the same, because
   * nothing gets through to the database, is not waited for for ever. May be called again.
   */
  stop(): Promise<void>;
}

/** The floor under wake-ups: a job that became due by time, or whose wake-up was lost, is found by the next look. */
const lookEveryMs = 1_000;
const brokenRetryMs = 5_000;
/** After the grace of a stop, for what became of its runs: that they are handed over counts for nothing only if it can be said. */
const lastWordMs = 3_000;
/** For what was being tried then, which takes no longer if anything gets through to the database. */
const lastTryMs = 5_000;
/** More milliseconds than any server is up for. */
const never = Number.MAX_SAFE_INTEGER;

/** `execute` works on one claimed job until it lets go; it settles what goes wrong itself, and gives the lease back. */
export function createWorker({
  database,
  name,
  concurrency,
  projectConcurrency = 0,
  execute,
  answerGraceMs = 15_000,
  takeStep = takeStepDirectly,
  onClaimed = () => {},
  onLeaseLost = () => {},
  log,
}: {
  database: Database;
  /** Names this process in the leases it holds. */
  name: string;
  concurrency: number;
  /** Of one project at once, over all processes; 0: no limit. */
  projectConcurrency?: number;
  execute: (lease: Lease, signals: RunSignals) => Promise<void>;
  /** For so long a run that is handed over may wait for the model, whose answer is paid for. A stop has 30 s in all. */
  answerGraceMs?: number;
  takeStep?: TakeStep;
  /** For whoever measures, as is the next. */
  onClaimed?: (claimed: ClaimedLease) => void;
  onLeaseLost?: (reason: LossReason) => void;
  log: Log;
}): Worker {
  const leases = new Map<string, KeptLease>();
  const slots = new Set<Promise<void>>();
  const stopping = new AbortController();
  const leaving = new AbortController();
  const { signal: gone } = leaving;
  const outages = createOutageWatch();

  const handOver = (kept: KeptLease) => kept.handOver(stopping.signal.reason, answerGraceMs);

  async function hold(lease: Lease, claimedAt: number) {
    // A worker without a free slot asks the database nothing else.
    using kept = keepLease({ database, lease, claimedAt, ask: outages.ask, onLost: onLeaseLost, log });
    leases.set(lease.jobId, kept);
    if (stopping.signal.aborted) handOver(kept);
    const { jobId, epoch } = lease;
    try {
      const { signal, grace, lost } = kept;
      await execute(lease, { signal, grace, lost, gone });
    } catch (error) {
      if (error instanceof LeaseLost) return;
      log.error({ err: error, jobId, epoch }, 'a claimed job could not be worked on');
      await retryUntilAvailable(database, { signal: gone }, (connection) =>
        releaseLease(connection, lease, { delayMs: brokenRetryMs }),
      ).catch(() => {});
    } finally {
      if (leases.get(jobId) === kept) leases.delete(jobId);
    }
  }

  /** An answer that does not come in time is not waited for: with what it asked as old as that, it may claim what is nobody's to take. */
  async function claim() {
    const claimedAt = performance.now();
    const lease = await outages.ask(() => {
      const takeOverAfterMs = outages.isOver() ? afterOutageMs : never;
      const options = { projectConcurrency, takeOverAfterMs };
      return withDeadline(database, {}, (connection) => claimJob(connection, name, options));
    });
    return lease && { lease, claimedAt };
  }

  async function fillSlots() {
    while (slots.size < concurrency && !stopping.signal.aborted) {
      const claimed = await takeStep({ step: 'claim' }, () => claim());
      if (!claimed) return;
      const { lease, claimedAt } = claimed;
      const slot = hold(lease, claimedAt).finally(() => {
        slots.delete(slot);
        looks.ask();
      });
      slots.add(slot);
      onClaimed(lease);
    }
  }

  const looks = createSerialTask({
    work: fillSlots,
    onError: (error) => log.warn({ err: error }, 'the worker could not look for due jobs'),
    signal: stopping.signal,
  });

  async function letGo() {
    clearInterval(timer);
    stopping.abort(new HandedOver('the worker is stopping'));
    for (const kept of leases.values()) handOver(kept);
    const end = setTimeout(() => leaving.abort(stopping.signal.reason), answerGraceMs + lastWordMs);
    const deadline = performance.now() + answerGraceMs + lastWordMs + lastTryMs;
    const isHolding = () => [...leases.values()].some(({ lost }) => !lost.aborted);
    while (looks.isBusy() || (slots.size > 0 && (performance.now() < deadline || isHolding())))
      await Promise.race([...slots, delay(20)]);
    clearTimeout(end);
  }

  const timer = setInterval(looks.ask, lookEveryMs);
  let stopped: Promise<void> | undefined;
  return {
    look: looks.ask,
    check: (jobId) => leases.get(jobId)?.check(),
    live: () => slots.size,
    stop() {
      stopped ??= letGo();
      return stopped;
    },
  };
}
