import type { TakeStep } from '../steps.ts';
import type { Database } from '../store/postgres/database.ts';
import { countEffectTry, type Effect, intendEffect, queueEpoch } from '../store/tables/jobs/effects.ts';
import type { EffectExecutor } from './perform-effect.ts';

/** Works without a lease: two processes may carry out the same effect at once, so each statement stands alone. */
export function createQueueExecutor(
  { database, takeStep, signal }: { database: Database; takeStep: TakeStep; signal: AbortSignal },
  { job_id: jobId, run_id: runId, message_id: messageId }: Effect,
): EffectExecutor {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }) };
  return {
    jobId,
    signal,
    async intend({ key, request }) {
      const { effect } = await intendEffect(database, { jobId, ...owner, key, epoch: queueEpoch, request });
      return { effect: (await countEffectTry(database, { jobId, key })) ?? effect, isNew: false };
    },
    takeActStep: (kind, act) => takeStep({ step: 'give answer', jobId, effect: kind }, act),
    takeRecordStep: (_kind, record) => takeStep({ step: 'record given answer', jobId }, record),
    write: (work) => work(database),
    retriesAmbiguousWrites: false,
  };
}
