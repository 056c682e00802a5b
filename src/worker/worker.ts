import { setTimeout as delay } from 'node:timers/promises';
import { HandedOver, LeaseLost } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Around, goStraight } from '../steps.ts';
import type { Database } from '../store/database.ts';
import { claimJob, giveBackLease, type Lease } from '../store/lease.ts';
import { type KeptLease, keepLease } from './keep-lease.ts';

/** Claims due jobs while a slot is free, and works on each until its run ends, waits, or is taken away. */
export interface Worker {
  /** Says that a job may be due. Cheap, and never throws. */
  look(): void;
  /** Says that the flags of a job changed, in case this worker holds it. */
  check(jobId: string): void;
  /** Hands every live run over and resolves when all of them have let go. */
  stop(): Promise<void>;
}

/** The floor under wake-ups: a job that became due by time, or whose wake-up was lost, is found by the next look. */
const lookEveryMs = 1_000;
const brokenRetryMs = 5_000;

/** `execute` works on one claimed job until it lets go; it settles what goes wrong itself, and gives the lease back. */
export function createWorker({
  database,
  name,
  concurrency,
  execute,
  around = goStraight,
  log,
}: {
  database: Database;
  /** Names this process in the leases it holds. */
  name: string;
  concurrency: number;
  execute: (lease: Lease, kept: Pick<KeptLease, 'signal' | 'lost'>) => Promise<void>;
  around?: Around;
  log: Log;
}): Worker {
  const held = new Map<string, KeptLease>();
  const slots = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isLooking = false;
  let isAskedAgain = false;

  async function hold(lease: Lease) {
    using kept = keepLease({ database, lease, log });
    held.set(lease.jobId, kept);
    if (stopping.signal.aborted) kept.stop(stopping.signal.reason);
    const { jobId, epoch } = lease;
    try {
      await execute(lease, kept);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      log.error({ err: error, jobId, epoch }, 'a claimed job could not be worked on');
      await giveBackLease(database, lease, { delayMs: brokenRetryMs }).catch(() => {});
    } finally {
      if (held.get(jobId) === kept) held.delete(jobId);
    }
  }

  async function fillSlots() {
    while (slots.size < concurrency && !stopping.signal.aborted) {
      const lease = await around({ step: 'claim' }, () => claimJob(database, name));
      if (!lease) return;
      const slot = hold(lease).finally(() => {
        slots.delete(slot);
        look();
      });
      slots.add(slot);
    }
  }

  /** One look at a time; who asks during one gets another after it, for what it asked about may have been missed. */
  function look() {
    isAskedAgain = true;
    if (isLooking) return;
    isLooking = true;
    void (async () => {
      while (isAskedAgain && !stopping.signal.aborted) {
        isAskedAgain = false;
        await fillSlots().catch((error) => log.warn({ err: error }, 'the worker could not look for due jobs'));
      }
      isLooking = false;
    })();
  }

  const timer = setInterval(look, lookEveryMs);
  return {
    look,
    check: (jobId) => held.get(jobId)?.check(),
    async stop() {
      clearInterval(timer);
      stopping.abort(new HandedOver('the worker is stopping'));
      for (const kept of held.values()) kept.stop(stopping.signal.reason);
      while (isLooking || slots.size > 0) await Promise.race([...slots, delay(20)]);
    },
  };
}
