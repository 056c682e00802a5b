import type { StoreTx } from '../store/store.ts';
import { findEffect, intendEffect, type NewEffect, queueEpoch } from '../store/tables/effects.ts';
import { realTiming } from '../timing.ts';
import type { KeyedAnswer } from './answer.ts';

/**
 * Promises an answer, in the transaction of what it is the answer to: it is given soon after, by whichever process comes first, and
 * tried again until GitHub has taken or refused it. What was given under this key before, or promised, is not given again; one that a run
 * was about to give is looked for once it must be there, and given only if it is not. The job is locked.
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
  }: KeyedAnswer & Pick<NewEffect, 'jobId' | 'runId' | 'messageId' | 'asker'>,
): Promise<void> {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }), ...(asker && { asker }) };
  const before = await findEffect(tx, { jobId, key });
  const { effect } = await intendEffect(tx, { jobId, ...owner, key, epoch: queueEpoch, request: answer });
  if (effect.state !== 'intended') return;
  // Two entries would be worked on side by side. Where the one of the first promise was lost, the sweep finds that.
  if (before?.epoch === queueEpoch) return;
  await queue.sendAnswer(tx, { jobId, key }, { delayMs: before ? realTiming.writes.answerOnItsWayMs : 0 });
}
