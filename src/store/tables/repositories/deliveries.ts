import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { entryLifetime } from '../../schedule/unqueued.ts';
import type { DeliveryState } from '../columns.ts';
import type { NewRow, Row } from '../schema.ts';

type Delivery = Row<'deliveries'>;
export type StoredDelivery = Delivery & { ageMs: number };

/** The reasons of deliveries that were given up. */
export const givenUp = { retries: 'given up after all retries', age: 'given up after three days' } as const;

/** False: stored before, as GitHub redelivers under the same id. One that was given up starts again: an operator may redeliver it. */
export async function insertDelivery(tx: Database, delivery: NewRow<'deliveries'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deliveries')
    .values(delivery)
    .onConflict((conflict) =>
      conflict
        .column('delivery_id')
        .doUpdateSet({
          fields: delivery.fields,
          state: 'stored',
          reason: null,
          processed_at: null,
          received_at: sql`now()`,
        })
        .where('deliveries.state', '=', 'ignored')
        .where('deliveries.reason', 'in', Object.values(givenUp)),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function findDelivery(tx: Database, deliveryId: string): Promise<StoredDelivery | undefined> {
  const ageMs = sql<number>`(extract(epoch from clock_timestamp() - received_at) * 1000)::float8`;
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .select(ageMs.as('ageMs'))
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
}

/** Locks the delivery until the transaction ends; undefined if it was processed. */
export function lockStoredDelivery(tx: Database, deliveryId: string): Promise<Delivery | undefined> {
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .where(({ and }) => and({ delivery_id: deliveryId, state: 'stored' }))
    .forUpdate()
    .executeTakeFirst();
}

/** The first mark counts. */
export async function markDelivery(
  tx: Database,
  deliveryId: string,
  { state, reason = null }: { state: Exclude<DeliveryState, 'stored'>; reason?: string | null },
): Promise<void> {
  await tx
    .updateTable('deliveries')
    // Ignored payloads are not kept: they may be long, and anybody can cause them.
    .set({ state, reason, processed_at: sql`now()`, ...(state === 'ignored' && { fields: '{}' }) })
    .where(({ and }) => and({ delivery_id: deliveryId, state: 'stored' }))
    .execute();
}

export async function findReviewCommentBodies(
  tx: Database,
  { repositoryId, reviewId }: { repositoryId: number; reviewId: number },
): Promise<Map<number, string>> {
  const rows = await tx
    .selectFrom('deliveries')
    .select([
      sql<number | null>`(fields #>> '{comment,id}')::float8`.as('commentId'),
      sql<string>`coalesce(fields #>> '{comment,body}', '')`.as('body'),
    ])
    .where(({ and }) => and({ repository_id: repositoryId, review_id: reviewId }))
    .execute();
  return new Map(rows.flatMap(({ commentId, body }) => (commentId === null ? [] : [[commentId, body]])));
}

/** By GitHub's clock, in whole seconds. */
const place = sql`
  event <> 'issue_comment' as is_review,
  coalesce(fields #>> '{issue,number}', fields #>> '{pull_request,number}') as number,
  coalesce(fields #>> '{review,id}', review_id::text, fields #>> '{comment,id}')::bigint as id,
  coalesce(fields #>> '{review,submitted_at}', fields #>> '{comment,created_at}', fields #>> '{issue,created_at}')::timestamptz as written_at`;

/**
 * Whether an older comment or review of the same pull request is not processed yet. Of the same second, a review counts as older than a
 * comment that arrived later. The text of an issue is older than its comments. A review that is a message is processed, and nothing waits longer than the lifetime of a queue entry.
 */
export async function isOlderInstructionStored(tx: Database, deliveryId: string): Promise<boolean> {
  const { rows } = await sql`
    with this as (select *, ${place} from deliveries where delivery_id = ${deliveryId}),
    stored as (
      select *, ${place} from deliveries
      where state = 'stored' and received_at > now() - ${entryLifetime} and delivery_id <> ${deliveryId}
        and (
          event in ('issue_comment', 'pull_request_review', 'pull_request_review_comment')
          or (event = 'issues' and action = 'opened')
        )
    )
    select from this join stored older using (repository_id, number)
    where case
      when older.event = 'issues' then this.event <> 'issues'
      when this.event = 'issues' then false
      when older.is_review and this.is_review then
        older.id <> this.id and (older.written_at, older.id) < (this.written_at, this.id)
      when older.is_review then (older.written_at, older.received_at) < (this.written_at, this.received_at)
      when this.is_review then older.written_at < this.written_at
      else older.id < this.id
    end and not (older.is_review and exists (
      select from messages join jobs using (job_id) join projects using (project_id)
      where projects.repository_id = older.repository_id and source_key = 'review:' || older.id
    ))
    limit 1`.execute(tx);
  return rows.length > 0;
}
