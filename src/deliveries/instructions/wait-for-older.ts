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
  const isYoung = Date.now() - receivedAt.getTime() < timing.deliveries.youngCommentMs;
  const until = Date.now() + (isYoung ? timing.deliveries.olderCommentMs : 0);
  while (await isOlderInstructionStored(database, deliveryId)) {
    if (Date.now() >= until)
      return new Date(Date.now() + (isYoung ? timing.deliveries.olderCommentMs : timing.deliveries.commentRetryMs));
    await pause(timing.deliveries.lookForOlderEveryMs, signal);
  }
  return undefined;
}
