import { pause } from '../../pause.ts';
import { countOlderInstructions } from '../../store/tables/deliveries.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/**
 * Messages keep the order of their comments and reviews on GitHub: waits for the older one of the pull request. Returns when to process this
 * one again if it is still pending, and at once if more than one is: a hundred that wait here would keep the slots that the oldest needs.
 */
export async function letOlderGoFirst({
  database,
  deliveryId,
  receivedAt,
  signal,
  timing,
}: DeliveryContext): Promise<Date | undefined> {
  const isYoung = Date.now() - receivedAt.getTime() < timing.deliveries.youngCommentMs;
  const until = Date.now() + (isYoung ? timing.deliveries.olderCommentMs : 0);
  for (let older = await countOlderInstructions(database, deliveryId); older > 0; ) {
    if (older > 1 || Date.now() >= until)
      return new Date(Date.now() + (isYoung ? timing.deliveries.olderCommentMs : timing.deliveries.commentRetryMs));
    await pause(timing.deliveries.lookForOlderEveryMs, signal);
    older = await countOlderInstructions(database, deliveryId);
  }
  return undefined;
}
