import { type Kysely, sql } from 'kysely';
import type { DeliveryState, NewRow, Row, Tables } from './schema.ts';

export type Delivery = Row<'deliveries'>;

/** Returns false when the delivery was stored before: GitHub sends one again under the same id. */
export async function insertDelivery(tx: Kysely<Tables>, delivery: NewRow<'deliveries'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.column('delivery_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function findDelivery(tx: Kysely<Tables>, deliveryId: string): Promise<Delivery | undefined> {
  return tx.selectFrom('deliveries').selectAll().where('delivery_id', '=', deliveryId).executeTakeFirst();
}

/** The delivery, locked until the transaction ends, if it has not been processed yet. */
export function lockStoredDelivery(tx: Kysely<Tables>, deliveryId: string): Promise<Delivery | undefined> {
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .where('state', '=', 'stored')
    .forUpdate()
    .executeTakeFirst();
}

export async function markDelivery(
  tx: Kysely<Tables>,
  deliveryId: string,
  { state, reason = null }: { state: Exclude<DeliveryState, 'stored'>; reason?: string | null },
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state, reason, processed_at: sql`now()` })
    .where('delivery_id', '=', deliveryId)
    .execute();
}
