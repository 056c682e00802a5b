import { insertDelivery } from '../store/deliveries.ts';
import { deliveryFieldsSchema } from '../store/delivery-fields.ts';
import type { Store } from '../store/store.ts';

/** A verified webhook, as Probot's context carries it. */
export interface ReceivedEvent {
  id: string;
  name: string;
  payload: object;
}

/**
 * Stores what is needed of a delivery with its queue entry, in one transaction: stored means it will be processed. A delivery
 * that comes again, under the same id, changes nothing. Throws when it could not be stored, so that GitHub shows it as failed.
 */
export async function storeDelivery({ database, queue }: Store, { id, name, payload }: ReceivedEvent): Promise<void> {
  const fields = deliveryFieldsSchema.parse(payload);
  const action = 'action' in payload && typeof payload.action === 'string' ? payload.action : null;
  await database.transaction().execute(async (tx) => {
    const isNew = await insertDelivery(tx, {
      delivery_id: id,
      event: name,
      action,
      repository_id: fields.repository?.id ?? null,
      fields: JSON.stringify(fields),
    });
    if (isNew) await queue.sendDelivery(tx, id);
  });
}
