import type { StoreTx } from '../store/store.ts';
import { findEffect, intendEffect, queueEpoch } from '../store/tables/effects.ts';
import type { Asker } from '../store/tables/schema.ts';
import { realTiming } from '../timing.ts';
import type { KeyedAnswer } from './answer.ts';

/**
 * Promises an answer in the caller's transaction, which locks the job: the queue posts it soon after, and retries until GitHub accepts or
 * refuses it. An answer that was posted or promised under this key is not posted again. Where a run was about to post it, the queue waits
 * until its comment must be visible, and looks for it first.
 */
export async function intendAnswer(
  { tx, queue }: StoreTx,
  {
    jobId,
    runId,
    messageId,
    asker,
    key,
    answer,
  }: KeyedAnswer & { jobId: string; runId?: string; messageId?: string; asker?: Asker },
): Promise<void> {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }), ...(asker && { asker }) };
  const before = await findEffect(tx, { jobId, key });
  const { effect } = await intendEffect(tx, { jobId, ...owner, key, epoch: queueEpoch, request: answer });
  if (effect.state !== 'intended') return;
  // Two entries would run side by side. If the first one was lost, the sweep sends it again.
  if (before?.epoch === queueEpoch) return;
  await queue.sendAnswer(tx, { jobId, key }, { delayMs: before ? realTiming.writes.answerOnItsWayMs : 0 });
}
