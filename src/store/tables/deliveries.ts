import { type Kysely, sql } from 'kysely';
import { entryLifetime } from '../schedule/unqueued.ts';
import { deliveryFieldsSchema } from './delivery-fields.ts';
import type { DeliveryState, NewRow, Row, Tables } from './schema.ts';

export type Delivery = Row<'deliveries'>;

/** Returns false if the delivery was stored before: GitHub redelivers under the same id. */
export async function insertDelivery(tx: Kysely<Tables>, delivery: NewRow<'deliveries'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.column('delivery_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function findDelivery(
  tx: Kysely<Tables>,
  deliveryId: string,
): Promise<(Delivery & { ageMs: number }) | undefined> {
  const ageMs = sql<number>`(extract(epoch from clock_timestamp() - received_at) * 1000)::float8`;
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .select(ageMs.as('ageMs'))
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
}

/** Locks the delivery until the transaction ends; undefined if it was processed. */
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
    // Ignored payloads are not kept: they may be long, and anybody can cause them.
    .set({ state, reason, processed_at: sql`now()`, ...(state === 'ignored' && { fields: '{}' }) })
    .where('delivery_id', '=', deliveryId)
    .execute();
}

export async function findReviewCommentBodies(
  tx: Kysely<Tables>,
  { repositoryId, reviewId }: { repositoryId: number; reviewId: number },
): Promise<Map<number, string>> {
  const rows = await tx
    .selectFrom('deliveries')
    .select('fields')
    .where('repository_id', '=', repositoryId)
    .where('review_id', '=', reviewId)
    .execute();
  const comments = rows.flatMap(({ fields }) => deliveryFieldsSchema.parse(fields).comment ?? []);
  return new Map(comments.map(({ id, body }) => [id, body ?? '']));
}

/** Ignores comments older than the lifetime of a queue entry. */
export async function isOlderCommentStored(
  tx: Kysely<Tables>,
  { repositoryId, number, commentId }: { repositoryId: number; number: number; commentId: number },
): Promise<boolean> {
  const older = await tx
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('state', '=', 'stored')
    .where('event', '=', 'issue_comment')
    .where('received_at', '>', sql<Date>`now() - ${entryLifetime}`)
    .where('repository_id', '=', repositoryId)
    .where(sql<boolean>`(fields #>> '{issue,number}')::bigint = ${number}`)
    .where(sql<boolean>`(fields #>> '{comment,id}')::bigint < ${commentId}`)
    .limit(1)
    .executeTakeFirst();
  return older !== undefined;
}
