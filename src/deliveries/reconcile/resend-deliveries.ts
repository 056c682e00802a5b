import type { Log } from '../../log.ts';
import { listUnqueuedDeliveries } from '../../store/schedule/unqueued.ts';
import type { Store } from '../../store/store.ts';
import { giveUpDelivery, tooOldReason } from '../process-delivery.ts';

/** Puts stored deliveries that the queue no longer knows into it again; after three days they are given up. */
export async function resendDeliveries(
  { database, queue, log }: Store & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (const { deliveryId, isTooOld } of await listUnqueuedDeliveries(database)) {
    signal.throwIfAborted();
    log.warn({ deliveryId, isTooOld }, 'a stored delivery had no entry in the queue');
    if (isTooOld) await giveUpDelivery({ database }, deliveryId, tooOldReason);
    else await queue.sendDelivery(database, deliveryId);
  }
}
