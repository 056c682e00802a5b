import { intendEffect } from '../store/effects.ts';
import type { StoreTx } from '../store/store.ts';
import type { KeyedAnswer } from './answer.ts';

/**
 * Promises an answer, in the transaction of what it is the answer to: it is given soon after, by whichever process comes first, and
 * tried again until GitHub has taken or refused it. What was given under this key before is not given again.
 */
export async function intendAnswer(
  { tx, queue }: StoreTx,
  { jobId, runId, messageId, key, answer }: KeyedAnswer & { jobId: string; runId?: string; messageId?: string },
): Promise<void> {
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }) };
  const { effect } = await intendEffect(tx, { jobId, ...owner, key, epoch: 0, request: answer });
  // One that a run meant to give and did not is given here.
  if (effect.state === 'intended') await queue.sendAnswer(tx, { jobId, key });
}
