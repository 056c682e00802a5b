import { withDeadline } from '../store/postgres/availability.ts';
import type { Store } from '../store/store.ts';
import { insertDelivery } from '../store/tables/repositories/deliveries.ts';
import { findEvent } from './events.ts';

/** GitHub waits 10 s: https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks */
const storeWithinMs = 4_000;

/** A webhook with a valid signature, as in Probot's context. */
interface ReceivedEvent {
  id: string;
  name: string;
  payload: object;
}

/**
 * Stores the needed fields of a delivery and its queue entry in one transaction, so that every stored delivery is processed. Idempotent by
 * id. Drops a delivery that cannot concern any job. Throws if it could not be stored: GitHub then shows the delivery as failed.
 */
export async function storeDelivery({ database, queue }: Store, { id, name, payload }: ReceivedEvent): Promise<void> {
  const event = findEvent(name);
  if (!event) return;
  const fields = event.parse(payload);
  if (event.findDropReason(fields) !== undefined) return;
  await withDeadline(database, { withinMs: storeWithinMs }, async (connection) => {
    if (!(await event.isWanted(connection, fields))) return;
    await connection.transaction().execute(async (tx) => {
      const isNew = await insertDelivery(tx, {
        delivery_id: id,
        event: name,
        action: fields.action ?? null,
        repository_id: fields.repository?.id ?? null,
        review_id: event.findReviewId(fields),
        fields: JSON.stringify(fields),
      });
      if (isNew) await queue.send(tx, 'delivery', { deliveryId: id });
    });
  });
}
