import { Parked } from '../errors.ts';
import { findWait } from '../projects/find-wait.ts';
import { tooOldMs } from '../store/schedule/unqueued.ts';
import { inTransaction, type Store } from '../store/store.ts';
import { findDelivery, lockStoredDelivery, markDelivery } from '../store/tables/deliveries.ts';
import { deliveryFieldsSchema } from '../store/tables/delivery-fields.ts';
import { createDeliveryContext, type DeliveryParts, type EventHandler } from './delivery-context.ts';
import { handlers } from './handlers/handlers.ts';

/**
 * Processes a stored delivery exactly once: what it does to our tables and the mark that it is done are one transaction. Returns when to
 * process it again where it has to wait, as while GitHub is down; throws any other error, after which the queue tries again.
 */
export async function processDelivery(
  parts: DeliveryParts,
  deliveryId: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const delivery = await findDelivery(parts.database, deliveryId);
  if (delivery?.state !== 'stored') return undefined;
  const { event, action, ageMs } = delivery;
  const receivedAt = new Date(Date.now() - ageMs);
  const handler = handlers[[event, action].filter(Boolean).join('.')] ?? nothing;
  const fields = deliveryFieldsSchema.parse(delivery.fields);
  try {
    const context = await createDeliveryContext(parts, { deliveryId, fields, receivedAt, signal });
    const apply = await handler(context);
    return await inTransaction(parts, async (store) => {
      if (!(await lockStoredDelivery(store.tx, deliveryId))) return undefined;
      const outcome = typeof apply === 'string' ? apply : await apply(store);
      if (outcome instanceof Date) return outcome;
      await markDelivery(store.tx, deliveryId, outcome ? { state: 'ignored', reason: outcome } : { state: 'done' });
      return undefined;
    });
  } catch (error) {
    const until = findWait(error, { ageMs });
    if (!until) throw error;
    if (!(error instanceof Parked))
      parts.log.warn({ err: error, deliveryId }, 'could not process a queue entry; it will be retried');
    if (ageMs <= tooOldMs) return until;
    parts.log.warn({ deliveryId }, 'what waited for three days was given up');
    await giveUpDelivery(parts, deliveryId, tooOldReason);
    return undefined;
  }
}

const nothing: EventHandler = async () => 'no handler for this event';

/** Marks a delivery that could not be processed in all its retries as ignored: whom GitHub does not vouch for may not prompt. */
export function giveUpDelivery(
  { database }: Pick<Store, 'database'>,
  deliveryId: string,
  reason = 'given up after all retries',
): Promise<void> {
  return markDelivery(database, deliveryId, { state: 'ignored', reason });
}

export const tooOldReason = 'given up after three days';
