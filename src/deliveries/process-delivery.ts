import type { Log } from '../log.ts';
import { findNextTry } from '../projects/find-wait.ts';
import type { Database } from '../store/postgres/database.ts';
import { listUnqueuedDeliveries } from '../store/schedule/unqueued.ts';
import { inTransaction, type Store } from '../store/store.ts';
import {
  findDelivery,
  givenUp,
  lockStoredDelivery,
  markDelivery,
  type StoredDelivery,
} from '../store/tables/repositories/deliveries.ts';
import { createDeliveryContext, type DeliveryParts } from './delivery-context.ts';
import { findEvent } from './events.ts';
import { type EventHandler, noHandler } from './github-event.ts';

/**
 * Processes a stored delivery exactly once: its changes and its mark are one transaction. Returns when to process it again if it has to wait,
 * for example while GitHub is down. Throws any other error, for the queue to retry.
 */
export async function processDelivery(
  parts: DeliveryParts,
  deliveryId: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const { database, log } = parts;
  const delivery = await findDelivery(database, deliveryId);
  if (delivery?.state !== 'stored') return undefined;
  const { ageMs } = delivery;
  try {
    const apply = await handle(parts, delivery, signal);
    return await inTransaction(parts, async (store) => {
      if (!(await lockStoredDelivery(store.tx, deliveryId))) return undefined;
      const outcome = typeof apply === 'function' ? await apply(store) : apply;
      if (outcome instanceof Date) return outcome;
      await markDelivery(store.tx, deliveryId, outcome ? { state: 'ignored', reason: outcome } : { state: 'done' });
      return undefined;
    });
  } catch (error) {
    const next = findNextTry(error, { entry: { deliveryId }, ageMs, log });
    if (!next) await giveUpDelivery(parts, deliveryId, givenUp.age);
    return next;
  }
}

async function handle(
  parts: DeliveryParts,
  { delivery_id: deliveryId, event: name, fields, ageMs }: StoredDelivery,
  signal: AbortSignal,
): ReturnType<EventHandler> {
  const event = findEvent(name);
  // A newer version may have stored it.
  if (!event) return noHandler;
  const receivedAt = new Date(Date.now() - ageMs);
  return event.handle(createDeliveryContext(parts, { deliveryId, fields: event.parse(fields), receivedAt, signal }));
}

/** Marks a delivery as ignored whose retries have all failed. */
export function giveUpDelivery(
  { database }: { database: Database },
  deliveryId: string,
  reason: string = givenUp.retries,
): Promise<void> {
  return markDelivery(database, deliveryId, { state: 'ignored', reason });
}

/** Queues stored deliveries again that have lost their queue entry, and gives up on those older than three days. */
export async function resendDeliveries(
  { database, queue, log }: Store & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (const { deliveryId, isTooOld } of await listUnqueuedDeliveries({ database, queue })) {
    signal.throwIfAborted();
    log.warn({ deliveryId, isTooOld }, 'a stored delivery had no entry in the queue');
    if (isTooOld) await giveUpDelivery({ database }, deliveryId, givenUp.age);
    else await queue.send(database, 'delivery', { deliveryId });
  }
}
