import type { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import type { TakeStep } from '../steps.ts';
import type { Database } from '../store/postgres/database.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import { intendEffect } from '../store/tables/jobs/effects.ts';
import { addRunWarning } from '../store/tables/jobs/runs.ts';
import { type EffectExecutor, type PlannedEffect, performEffect } from './perform-effect.ts';

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
