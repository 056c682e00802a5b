import type { Log } from '../log.ts';
import { listUnqueuedAnswers } from '../store/schedule/unqueued.ts';
import type { Store } from '../store/store.ts';
import { giveUpAnswer, tooOldReason } from './give-answer.ts';

/** Sends promised answers to the queue again if their entry was lost. Gives them up after three days. */
export async function resendAnswers(
  { database, queue, log }: Store & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (const { isTooOld, ...entry } of await listUnqueuedAnswers({ database, queue })) {
    signal.throwIfAborted();
    log.warn({ ...entry, isTooOld }, 'a promised answer had no entry in the queue');
    if (isTooOld) await giveUpAnswer({ database }, entry, tooOldReason);
    else await queue.sendAnswer(database, entry);
  }
}
