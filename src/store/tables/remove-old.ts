import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../../log.ts';
import type { Database } from '../postgres/database.ts';
import { isOld } from './access/idempotency-keys.ts';
import { hasEnded } from './access/sessions.ts';

/** A batch ends well under a second, because others wait for its rows. */
const runsAtOnce = 50;
const deliveriesAtOnce = 1_000;
/** Each may hold megabytes. */
const changesAtOnce = 100;

/** Rows that ended more than `days` ago. */
interface Removal {
  days: number;
  signal: AbortSignal;
}

/** Safe to run in several processes at once. */
export async function removeOld(
  { database, log }: { database: Database; log: Log },
  { turnsDays, deliveriesDays }: { turnsDays: number; deliveriesDays: number },
  signal: AbortSignal,
): Promise<void> {
  const turns = await removeOldTurns(database, { days: turnsDays, signal });
  const remove = (kind: keyof typeof batches, days: number) => removeOldRows(database, kind, { days, signal });
  const removed = {
    turns,
    changes: await remove('changes', turnsDays),
    images: await remove('images', turnsDays),
    deliveries: await remove('deliveries', deliveriesDays),
    webhookDeliveries: await remove('webhookDeliveries', deliveriesDays),
    passedOccasions: await remove('passedOccasions', deliveriesDays),
  };
  if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'removed old rows');
}

/** Removes small rows that nothing reads any more. Each statement stands alone: one that fails stops no other. */
export const sweeps = [
  sql`delete from rate_counters where window_start < now() - interval '1 day'`,
  sql`delete from sign_in_attempts where window_start < now() - interval '1 hour'`,
  sql`delete from sessions where ${hasEnded}`,
  // What is not possible for three days is given up. GitHub shows ended checks for so long, and "Re-run" beside them: https://docs.github.com/en/rest/checks
  sql`delete from pull_request_checks where finished_at < now() - interval '400 days'
    or (state = 'waiting' and requested_at < now() - interval '3 days')`,
  sql`delete from redeliveries where asked_at < now() - interval '7 days'`,
  sql`delete from idempotency_keys where ${isOld}`,
  sql`delete from webhooks where removed_at < now() - interval '1 hour'
    and not exists (select from webhook_deliveries left_over where left_over.webhook_id = webhooks.webhook_id)`,
];

/** For runs that ended more than `days` ago, and events of their jobs that are as old. Skips locked rows. An abort ends it after a batch. Returns the number of turns. */
export function removeOldTurns(database: Database, { days, signal }: Removal): Promise<number> {
  return inBatches(signal, runsAtOnce, async () => {
    const { rows } = await sql<{ found: number; removed: number }>`
      with old as (
        select run_id from runs
        where phase = 'ended' and removed_turns is null and ended_at < now() - ${days} * interval '1 day'
        order by ended_at limit ${runsAtOnce} for update skip locked
      ),
      removed_events as (
        delete from events using runs, old
        where runs.run_id = old.run_id and events.job_id = runs.job_id
          and events.at < now() - ${days} * interval '1 day'
      ),
      removed as (delete from turns using old where turns.run_id = old.run_id returning turns.run_id),
      counted as (
        update runs set removed_turns = (select count(*) from removed where removed.run_id = runs.run_id)
        from old where runs.run_id = old.run_id returning removed_turns
      )
      select count(*) as found, coalesce(sum(removed_turns), 0)::bigint as removed from counted`.execute(database);
    return rows[0] ?? { found: 0, removed: 0 };
  });
}

const batches = {
  /** Pull requests that went with messages which are done. */
  changes: {
    atOnce: changesAtOnce,
    remove: (ended: RawBuilder<unknown>) => sql`
      with old as (
        select message_changes.message_id, position from message_changes
        join messages on messages.message_id = message_changes.message_id
        where state in ('answered', 'dropped') and created_at < ${ended}
        limit ${changesAtOnce} for update of message_changes skip locked
      )
      delete from message_changes using old
      where message_changes.message_id = old.message_id and message_changes.position = old.position`,
  },
  /** The contents of images whose messages are done, however new: no run shows them to a model again. */
  images: {
    atOnce: changesAtOnce,
    remove: () => sql`
      with done as (
        select message_images.message_id, position from message_images
        join messages on messages.message_id = message_images.message_id
        where content is not null and state in ('answered', 'dropped')
        limit ${changesAtOnce} for update of message_images skip locked
      )
      update message_images set content = null from done
      where message_images.message_id = done.message_id and message_images.position = done.position`,
  },
  /** GitHub can no longer redeliver them. */
  deliveries: {
    atOnce: deliveriesAtOnce,
    remove: (ended: RawBuilder<unknown>) => sql`
      with old as (
        select delivery_id from deliveries
        where state <> 'stored' and processed_at < ${ended}
        order by processed_at limit ${deliveriesAtOnce} for update skip locked
      )
      delete from deliveries using old where deliveries.delivery_id = old.delivery_id`,
  },
  /** What automations passed over, after GitHub can no longer tell of it again. What they took up stays with its job. */
  passedOccasions: {
    atOnce: deliveriesAtOnce,
    remove: (ended: RawBuilder<unknown>) => sql`
      with old as (
        select project_id, automation, key from occasions
        where state = 'passed' and finished_at < ${ended}
        order by finished_at limit ${deliveriesAtOnce} for update skip locked
      )
      delete from occasions using old
      where occasions.project_id = old.project_id and occasions.automation = old.automation and occasions.key = old.key`,
  },
  /** With all deliveries of removed webhooks. */
  webhookDeliveries: {
    atOnce: deliveriesAtOnce,
    remove: (ended: RawBuilder<unknown>) => sql`
      with old as (
        select delivery_id from webhook_deliveries
        where (state <> 'waiting' and finished_at < ${ended})
          or webhook_id in (select webhook_id from webhooks where removed_at is not null)
          -- what was recorded while their webhook was disabled
          or (state = 'waiting' and webhook_id in (select webhook_id from webhooks where disabled_at < now() - interval '1 hour'))
        limit ${deliveriesAtOnce} for update skip locked
      )
      delete from webhook_deliveries using old
      where webhook_deliveries.delivery_id = old.delivery_id`,
  },
};

/** Otherwise like `removeOldTurns`. */
export function removeOldRows(
  database: Database,
  kind: keyof typeof batches,
  { days, signal }: Removal,
): Promise<number> {
  const { atOnce, remove } = batches[kind];
  const batch = remove(sql`now() - ${days} * interval '1 day'`);
  return inBatches(signal, atOnce, async () => {
    const removed = Number((await batch.execute(database)).numAffectedRows ?? 0n);
    return { found: removed, removed };
  });
}

/** A batch that is not full is the last: no rows are left, or other processes lock them. */
async function inBatches(
  signal: AbortSignal,
  atOnce: number,
  remove: () => Promise<{ found: number; removed: number }>,
): Promise<number> {
  let sum = 0;
  for (;;) {
    signal.throwIfAborted();
    const { found, removed } = await remove();
    sum += removed;
    if (found < atOnce) return sum;
  }
}
