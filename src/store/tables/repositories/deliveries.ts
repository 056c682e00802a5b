import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { msBetween, now } from '../../postgres/moments.ts';
import { entryLifetime } from '../../schedule/unqueued.ts';
import type { DeliveryState } from '../columns.ts';
import { changeRows, lockRow } from '../rows.ts';
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

export async function findDelivery(tx: Database, deliveryId: string): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<StoredDelivery>`
    select *, ${msBetween(sql`received_at`, sql`clock_timestamp()`)} as "ageMs"
    from deliveries where delivery_id = ${deliveryId}`.execute(tx);
  return rows[0];
}

/** Locks the delivery until the transaction ends; undefined if it was processed. */
export const lockStoredDelivery = (tx: Database, deliveryId: string): Promise<Delivery | undefined> =>
  lockRow(tx, 'deliveries', { delivery_id: deliveryId, state: 'stored' });

/** The first mark counts. */
export async function markDelivery(
  tx: Database,
  deliveryId: string,
  { state, reason = null }: { state: Exclude<DeliveryState, 'stored'>; reason?: string | null },
): Promise<void> {
  // Ignored payloads are not kept: they may be long, and anybody can cause them.
  const marked = { state, reason, processed_at: now, ...(state === 'ignored' && { fields: '{}' }) };
  await changeRows(tx, 'deliveries', { delivery_id: deliveryId, state: 'stored' }, marked);
}

export async function findReviewCommentBodies(
  tx: Database,
  { repositoryId, reviewId }: { repositoryId: number; reviewId: number },
): Promise<Map<number, string>> {
  const { rows } = await sql<{ commentId: number; body: string }>`
    select (fields #>> '{comment,id}')::float8 as "commentId", coalesce(fields #>> '{comment,body}', '') as body
    from deliveries where repository_id = ${repositoryId} and review_id = ${reviewId}
      and fields #>> '{comment,id}' is not null`.execute(tx);
  return new Map(rows.map(({ commentId, body }) => [commentId, body]));
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
