import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { changeRows } from '../rows.ts';

/** `tries` includes the request to send now. */
interface MissedDelivery {
  deliveryId: string;
  attemptId: string;
  tries: number;
}

/** With the pauses below, spans the three days for which GitHub redelivers. */
const maxTries = 16;

/** 20 minutes, doubled each time, at most six hours. */
const pauseAfter = (tries: ReturnType<typeof sql>) =>
  sql`least(interval '10 minutes' * power(2, ${tries}), interval '6 hours')`;

const isMissing = sql`missed.attempt_id is not null
  and not exists (select from deliveries came where came.delivery_id = missed.delivery_id)`;

/** Null after the last try. */
const dueAfter = (tries: ReturnType<typeof sql>, askedAt: ReturnType<typeof sql>) =>
  sql`case when ${tries} < ${maxTries} then ${askedAt} + ${pauseAfter(tries)} end`;

/** Idempotent. Skips deliveries that have arrived since. */
export async function recordMissedDeliveries(
  tx: Database,
  attempts: readonly { attemptId: string; deliveryId: string; failedAt: Date }[],
): Promise<void> {
  const tries = sql`redeliveries.tries`;
  await sql`
    insert into redeliveries (delivery_id, tries, asked_at, attempt_id, failed_at, due_at)
    select distinct on ("deliveryId") "deliveryId", 0, now(), "attemptId", "failedAt", now()
    from json_to_recordset(${JSON.stringify(attempts)}::json)
      as failed ("deliveryId" text, "attemptId" text, "failedAt" timestamptz)
    where not exists (select from deliveries where delivery_id = "deliveryId")
    order by "deliveryId", "failedAt" desc
    on conflict (delivery_id) do update set
      attempt_id = excluded.attempt_id,
      failed_at = excluded.failed_at,
      due_at = ${dueAfter(tries, sql`redeliveries.asked_at`)}
    where redeliveries.failed_at is null or redeliveries.failed_at < excluded.failed_at`.execute(tx);
}

/** Without `markRedeliveryRequested` the delivery becomes due again. */
export async function claimMissedDelivery(tx: Database): Promise<MissedDelivery | undefined> {
  const tries = sql`(missed.tries + 1)`;
  const { rows } = await sql<MissedDelivery>`
    update redeliveries missed set tries = missed.tries + 1, asked_at = now(), due_at = ${dueAfter(tries, sql`now()`)}
    where delivery_id = (
      select delivery_id from redeliveries due
      where due_at <= now() and not exists (select from deliveries came where came.delivery_id = due.delivery_id)
      order by failed_at limit 1 for update skip locked
    )
    returning delivery_id as "deliveryId", attempt_id as "attemptId", missed.tries`.execute(tx);
  return rows[0];
}

/** No try is due until the redelivery fails, too. */
export async function markRedeliveryRequested(tx: Database, { deliveryId, attemptId }: MissedDelivery): Promise<void> {
  await changeRows(tx, 'redeliveries', { delivery_id: deliveryId, attempt_id: attemptId }, { due_at: null });
}

export interface ListedMissed {
  deliveryId: string;
  tries: number;
  failedAt: Date;
  /** When GitHub is asked next; null: it was asked and nothing failed since, or it is not asked again. */
  dueAt: Date | null;
  isDead: boolean;
}

/** Deliveries that have not arrived, the newest failure first. */
export async function listMissedDeliveries(tx: Database, limit: number): Promise<ListedMissed[]> {
  const { rows } = await sql<ListedMissed>`
    select delivery_id as "deliveryId", tries, failed_at as "failedAt", due_at as "dueAt",
      due_at is null and tries >= ${maxTries} as "isDead"
    from redeliveries missed
    where ${isMissing}
    order by failed_at desc limit ${limit}`.execute(tx);
  return rows;
}

/** Counts deliveries that have not arrived; `dead`: those that GitHub is not asked for any more. */
export async function countMissedDeliveries(tx: Database): Promise<{ count: number; dead: number }> {
  const { rows } = await sql<{ count: number; dead: number }>`
    select count(*) as count, count(*) filter (where due_at is null and tries >= ${maxTries}) as dead
    from redeliveries missed where ${isMissing}`.execute(tx);
  return rows[0] ?? { count: 0, dead: 0 };
}

/** GitHub is asked in the next round, and all tries begin again. Returns false if no such delivery is missing. */
export async function reviveMissedDelivery(tx: Database, deliveryId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update redeliveries missed set tries = 0, asked_at = now(), due_at = now()
    where delivery_id = ${deliveryId} and ${isMissing}`.execute(tx);
  return numAffectedRows === 1n;
}
