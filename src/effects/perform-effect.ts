import type { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { AmbiguousWrite } from '../github/refusals/errors.ts';
import { isRefusal } from '../github/refusals/read-refusal.ts';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import type { TakeStep } from '../steps.ts';
import { type Database, sendTogether } from '../store/postgres/database.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import {
  type Effect,
  effectKind,
  intendEffect,
  markEffectDone,
  markEffectRefused,
} from '../store/tables/jobs/effects.ts';
import { addRunWarning } from '../store/tables/jobs/runs.ts';

export interface PlannedEffect<Done extends { externalId: string }> {
  /** Unique in its job, and the same in every attempt: `run_…:push`. */
  key: string;
  /** What will be sent, without secrets. */
  request: object;
  schema: z.ZodType<Done>;
  /** Finds the result of an earlier try. Undefined where acting twice does no harm. */
  find?: () => Promise<Done | undefined>;
  /** `find` is called before and after each of these pauses. Empty where it sees every earlier try at once. */
  lagsMs?: readonly number[];
  act: () => Promise<Done>;
  /** Writes to the database in the transaction that marks the effect done. */
  record?: (tx: Database, done: Done) => Promise<void>;
  recordRefusal?: (tx: Database, refusal: Refusal) => Promise<void>;
  /** Deletes the doubles that a concurrent try may have left on GitHub. */
  heal?: () => Promise<void>;
}

interface Intended {
  effect: Effect;
  /** No earlier try can have sent a request. */
  isNew: boolean;
}

/** A run that holds a lease, or the queue. */
export interface EffectExecutor {
  jobId: string;
  signal: AbortSignal;
  intend(effect: { key: string; request: object }): Promise<Intended>;
  takeActStep<T>(kind: string, act: () => Promise<T>): Promise<T>;
  takeRecordStep<T>(kind: string, record: () => Promise<T>): Promise<T>;
  /** Throws if this executor may no longer write. */
  write(work: (tx: Database) => Promise<void>): Promise<void>;
  /** True: looks for the result of an ambiguous write, then writes a second time. False: throws, and the next attempt looks first. */
  retriesAmbiguousWrites: boolean;
}

export type Performed<Done> = { kind: 'done'; done: Done } | { kind: 'refused'; refusal: Refusal };

/** Makes one change on GitHub exactly once. Records GitHub's refusal, and throws every other error. */
export async function performEffect<Done extends { externalId: string }>(
  executor: EffectExecutor,
  effect: PlannedEffect<Done>,
): Promise<Performed<Done>> {
  return performIntended(executor, await executor.intend(effect), effect);
}

export async function performIntended<Done extends { externalId: string }>(
  executor: EffectExecutor,
  { effect: { state, response }, isNew }: Intended,
  effect: PlannedEffect<Done>,
): Promise<Performed<Done>> {
  const { jobId, signal } = executor;
  const { key, schema, act, find = async () => undefined, lagsMs = [] } = effect;
  if (state === 'done') return { kind: 'done', done: schema.parse(response) };
  const kind = effectKind(effect);
  let mayBeDoubled = !isNew;
  let done: Done;
  try {
    done = await executor.takeActStep(kind, findOrAct);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await executor.write(async (tx) => {
      await markEffectRefused(tx, { jobId, key, reason: error.message });
      await effect.recordRefusal?.(tx, error);
    });
    return { kind: 'refused', refusal: error };
  }
  await executor.takeRecordStep(kind, () =>
    executor.write(async (tx) => {
      await sendTogether(tx, (tx) => [
        markEffectDone(tx, { jobId, key, response: done, externalId: done.externalId }),
        effect.record?.(tx, done) ?? Promise.resolve(),
      ]);
    }),
  );
  return { kind: 'done', done };

  async function findOrAct(): Promise<Done> {
    const found = (isNew ? undefined : await findWithLag()) ?? (await actOnce());
    if (mayBeDoubled) await effect.heal?.();
    return found;
  }

  async function actOnce(): Promise<Done> {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AmbiguousWrite) || !executor.retriesAmbiguousWrites) throw error;
      mayBeDoubled = true;
      const found = await findWithLag();
      if (found) return found;
      // The pauses may have outlived the right to write: prove it before the second try.
      await executor.write(async () => {});
      return act();
    }
  }

  async function findWithLag(): Promise<Done | undefined> {
    for (const lagMs of lagsMs) {
      const found = await find();
      if (found) return found;
      await pause(lagMs, signal);
    }
    return find();
  }
}

/** Every write to the database is a transaction of the lease. */
export interface RunEffects {
  /** As `performEffect`, but throws the refusal. */
  perform<Done extends { externalId: string }>(effect: PlannedEffect<Done>): Promise<Done>;
  /** A refusal becomes a warning of the run, which begins with `what`. */
  performOptional<Done extends { externalId: string }>(effect: PlannedEffect<Done>, what?: string): Promise<void>;
}

export function createRunEffects(options: {
  database: Database;
  takeStep: TakeStep;
  log: Log;
  lease: Lease;
  runId: string;
  signal: AbortSignal;
  /** Returns a sentence for people. */
  describeRefusal: (refusal: Refusal) => string;
}): RunEffects {
  const { database, takeStep, log, lease, runId, signal, describeRefusal } = options;
  const { jobId, epoch } = lease;
  const executor: EffectExecutor = {
    jobId,
    signal,
    intend: ({ key, request }) =>
      inLease(database, lease, (tx) => intendEffect(tx, { jobId, runId, epoch, key, request })),
    takeActStep: (kind, act) => takeStep({ step: kind, jobId, effect: kind }, act),
    takeRecordStep: (kind, record) => takeStep({ step: `record ${kind}`, jobId }, record),
    write: (work) => inLease(database, lease, work),
    retriesAmbiguousWrites: true,
  };
  return {
    async perform(effect) {
      const performed = await performEffect(executor, effect);
      if (performed.kind === 'refused') throw performed.refusal;
      return performed.done;
    },
    async performOptional(effect, what) {
      const performed = await performEffect(executor, {
        ...effect,
        recordRefusal: (tx, refusal) =>
          addRunWarning(tx, runId, [what, describeRefusal(refusal)].filter(Boolean).join(' ')),
      });
      if (performed.kind === 'refused')
        log.warn({ err: performed.refusal, runId, key: effect.key }, 'an effect was refused');
    },
  };
}
