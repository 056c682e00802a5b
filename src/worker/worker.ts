import { setTimeout as delay } from 'node:timers/promises';
import { HandedOver, LeaseLost } from '../errors.ts';
import type { Log } from '../log.ts';
import type { RunSignals } from '../runs/run-context.ts';
import { createSerialTask } from '../serial-task.ts';
import { type TakeStep, takeStepDirectly } from '../steps.ts';
import { retryUntilAvailable, withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { type ClaimedLease, claimJob } from '../store/schedule/claim-job.ts';
import { type Lease, releaseLease } from '../store/schedule/lease.ts';
import { notePresence, type Presence, removePresence } from '../store/schedule/workers.ts';
import { realTiming, type Timing } from '../timing.ts';
import { type KeptLease, keepLease, type LossReason } from './keep-lease.ts';

export interface Worker {
  /** Cheap, and never throws. */
  claimDueJobs(): void;
  /** A renewal reads the job's flags. Does nothing without a lease on the job. */
  renewLease(jobId: string): void;
  countLiveRuns(): number;
  /** Resolves when all runs have ended, except those that lost their lease and hang in an outage. Idempotent. */
  stop(): Promise<void>;
}

/** In milliseconds, longer than any uptime of the server: nothing is taken over. */
const never = Number.MAX_SAFE_INTEGER;

/** `execute` handles its own failures and releases the lease. */
export function createWorker(parts: {
  database: Database;
  name: string;
  concurrency: number;
  /** Over all processes; 0: no limit. */
  projectConcurrency?: number;
  /** The repository ids of the mirrors on this machine. Without it, the worker leaves no job to another one, nor they to it. */
  listMirrors?: () => Promise<number[]>;
  execute: (lease: Lease, signals: RunSignals) => Promise<void>;
  timing?: Timing;
  takeStep?: TakeStep;
  onClaimed?: (claimed: ClaimedLease) => void;
  onLeaseLost?: (reason: LossReason) => void;
  log: Log;
}): Worker {
  const { database, name, concurrency, listMirrors, execute, log } = parts;
  const { projectConcurrency = 0, timing = realTiming, takeStep = takeStepDirectly, onClaimed = () => {} } = parts;
  const { onLeaseLost = () => {} } = parts;
  const { answerGraceMs, storeEndMs, lastTryMs } = timing.shutdown;
  const leases = new Map<string, KeptLease>();
  const slots = new Set<Promise<void>>();
  const stopping = new AbortController();
  const leaving = new AbortController();
  const { signal: gone } = leaving;
  const outages = createOutageWatch(timing.claims);
  const presence = listMirrors && keepPresence({ database, presence: { name, slots: concurrency }, timing, log });

  const handOver = (kept: KeptLease) => kept.handOver(stopping.signal.reason, answerGraceMs);

  async function workOn(lease: Lease, claimedAt: number) {
    // A worker without a free slot sends no claims, so renewals watch for outages, too.
    using kept = keepLease({ database, lease, claimedAt, watch: outages.watch, onLost: onLeaseLost, log });
    leases.set(lease.jobId, kept);
    if (stopping.signal.aborted) handOver(kept);
    const { jobId, epoch } = lease;
    try {
      const { work, grace, publish } = kept;
      await execute(lease, { work, grace, publish, gone });
    } catch (error) {
      if (error instanceof LeaseLost) return;
      log.error({ err: error, jobId, epoch }, 'could not work on a claimed job');
      await retryUntilAvailable(database, { signal: gone }, (connection) =>
        releaseLease(connection, lease, { delayMs: timing.claims.brokenRetryMs }),
      ).catch((failure: unknown) => log.warn({ err: failure, jobId, epoch }, 'could not release a job'));
    } finally {
      if (leases.get(jobId) === kept) leases.delete(jobId);
    }
  }

  /** A late claim would use an outdated `takeOverAfterMs`. */
  async function claim() {
    const yielding = listMirrors && {
      repositoryIds: await listMirrors(),
      forMs: timing.claims.yieldForMs,
      isLastSlot: slots.size === concurrency - 1,
    };
    const claimedAt = performance.now();
    const lease = await outages.watch(() => {
      const takeOverAfterMs = outages.isOver() ? timing.claims.afterOutageMs : never;
      const options = { projectConcurrency, takeOverAfterMs, yielding };
      return withDeadline(database, {}, (connection) => claimJob(connection, name, options));
    });
    return lease && { lease, claimedAt };
  }

  async function fillSlots() {
    while (slots.size < concurrency && !stopping.signal.aborted) {
      const claimed = await takeStep({ step: 'claim' }, () => claim());
      if (!claimed) return;
      const { lease, claimedAt } = claimed;
      const slot = workOn(lease, claimedAt).finally(() => {
        slots.delete(slot);
        claims.request();
      });
      slots.add(slot);
      onClaimed(lease);
    }
  }

  const claims = createSerialTask({
    work: fillSlots,
    onError: (error) => log.warn({ err: error }, 'could not claim due jobs'),
    signal: stopping.signal,
  });

  async function handOverRuns() {
    clearInterval(timer);
    stopping.abort(new HandedOver('the worker is stopping'));
    // Nobody waits for this worker to take its runs back.
    const hidden = presence?.end();
    for (const kept of leases.values()) handOver(kept);
    const end = setTimeout(() => leaving.abort(stopping.signal.reason), answerGraceMs + storeEndMs);
    const deadline = performance.now() + answerGraceMs + storeEndMs + lastTryMs;
    const isHolding = () => [...leases.values()].some(({ publish }) => !publish.aborted);
    while (claims.isRunning() || (slots.size > 0 && (performance.now() < deadline || isHolding())))
      await Promise.race([...slots, delay(20)]);
    clearTimeout(end);
    await hidden;
  }

  const timer = setInterval(claims.request, timing.claims.lookEveryMs);
  let stopped: Promise<void> | undefined;
  return {
    claimDueJobs: claims.request,
    renewLease: (jobId) => leases.get(jobId)?.renew(),
    countLiveRuns: () => slots.size,
    stop() {
      stopped ??= handOverRuns();
      return stopped;
    },
  };
}

/**
 * During an outage nobody can renew a lease, so an expired lease says nothing about its holder. The time without takeovers afterwards need
 * not be continuous: crashed jobs must be taken over even if every fifth answer is late.
 */
export function createOutageWatch(
  { afterOutageMs, promptAnswerMs }: { afterOutageMs: number; promptAnswerMs: number } = realTiming.claims,
) {
  let leftMs = 0;
  /** Undefined: the previous answer was late. */
  let promptAt: number | undefined;

  function miss() {
    promptAt = undefined;
    leftMs ||= afterOutageMs;
  }

  function answered() {
    const now = performance.now();
    leftMs = Math.max(0, leftMs - (now - (promptAt ?? now)));
    promptAt = now;
  }

  return {
    async watch<T>(query: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      try {
        const answer = await query();
        if (performance.now() - startedAt > promptAnswerMs) miss();
        else answered();
        return answer;
      } catch (error) {
        miss();
        throw error;
      }
    },
    isOver: () => leftMs === 0,
  };
}

/** Shows this worker to others until `end`, or until the process dies. `end` never throws. */
function keepPresence(options: { database: Database; presence: Presence; timing: Timing; log: Log }): {
  end(): Promise<void>;
} {
  const { database, presence, timing, log } = options;
  const ending = new AbortController();
  // The code that stops work in an outage logs it.
  const onError = (error: unknown) => log.debug({ err: error }, 'could not show this worker to others');
  const note = createSerialTask({
    work: () => withDeadline(database, {}, (connection) => notePresence(connection, presence)),
    onError,
    signal: ending.signal,
  });
  const timer = setInterval(note.request, timing.claims.presentEveryMs);
  note.request();
  return {
    async end() {
      ending.abort();
      clearInterval(timer);
      await withDeadline(database, {}, (connection) => removePresence(connection, presence.name)).catch(onError);
    },
  };
}
