import type { StoreTx } from '../store/store.ts';
import type { Asker } from '../store/tables/columns.ts';
import { findEffect, intendEffect, queueEpoch } from '../store/tables/jobs/effects.ts';
import type { KeyedAnswer } from './answer.ts';

/** A request ends after 30 s, and a list may lag behind. */
const answerOnItsWayMs = 35_000;

/** Promises an answer, once per key, in the caller's transaction, which must lock the job. Returns false if that was kept or refused before. */
export async function intendAnswer(
  { tx, queue }: StoreTx,
  options: KeyedAnswer & {
    jobId: string;
    runId?: string;
    messageId?: string;
    asker?: Asker;
    /** A request that a run has sent may still make what the answer needs. */
    isOnItsWay?: boolean;
  },
): Promise<boolean> {
  const { jobId, runId, messageId, asker, key, answer, isOnItsWay = false } = options;
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }), ...(asker && { asker }) };
  const earlier = await findEffect(tx, { jobId, key });
  const { effect } = await intendEffect(tx, { jobId, ...owner, key, epoch: queueEpoch, request: answer });
  if (effect.state !== 'intended') return false;
  // Two entries would run side by side. If the first one was lost, the sweep sends it again.
  if (earlier?.epoch === queueEpoch) return true;
  // A run may have posted it: by then its comment is visible to the queue.
  await queue.send(tx, 'answer', { jobId, key }, { delayMs: earlier || isOnItsWay ? answerOnItsWayMs : 0 });
  return true;
}
