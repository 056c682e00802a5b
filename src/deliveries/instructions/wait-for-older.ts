import { pause } from '../../pause.ts';
import { isOlderInstructionStored } from '../../store/tables/repositories/deliveries.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/**
 * Messages keep the order of their comments and reviews on GitHub, so this waits for the older ones of the pull request. Returns when to try
 * again if one of them is still pending.
 */
export async function waitForOlder({
  database,
  deliveryId,
  receivedAt,
  signal,
  timing,
}: DeliveryContext): Promise<Date | undefined> {
  const { youngCommentMs, olderCommentMs, commentRetryMs, lookForOlderEveryMs } = timing.deliveries;
  const ageMs = Date.now() - receivedAt.getTime();
  const until = Date.now() + (ageMs < youngCommentMs ? olderCommentMs : 0);
  // One that has waited for minutes waits for GitHub, not for its turn among many.
  const retryMs = Math.min(commentRetryMs, Math.max(olderCommentMs, ageMs / 60));
  while (await isOlderInstructionStored(database, deliveryId)) {
    if (Date.now() >= until) return new Date(Date.now() + retryMs);
    await pause(lookForOlderEveryMs, signal);
  }
  return undefined;
}
