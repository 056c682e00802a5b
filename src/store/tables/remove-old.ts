import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Log } from '../../log.ts';
import type { Tables } from './schema.ts';

/** A batch ends well under a second, because others wait for its rows. */
const runsAtOnce = 50;
const deliveriesAtOnce = 1_000;
/** Each may hold megabytes. */
const changesAtOnce = 100;

/** Safe to run in several processes at once. */
export async function removeOld(
  { database, log }: { database: Kysely<Tables>; log: Log },
  { turnsDays, deliveriesDays }: { turnsDays: number; deliveriesDays: number },
  signal: AbortSignal,
): Promise<void> {
  const turns = await removeOldTurns(database, { days: turnsDays, signal });
  const changes = await removeOldChanges(database, { days: turnsDays, signal });
  const images = await removeDoneImages(database, { signal });
  const deliveries = await removeOldDeliveries(database, { days: deliveriesDays, signal });
  const webhookDeliveries = await removeOldWebhookDeliveries(database, { days: deliveriesDays, signal });
  const passedOccasions = await removeOldOccasions(database, { days: deliveriesDays, signal });
  const removed = { turns, changes, images, deliveries, webhookDeliveries, passedOccasions };
  if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'removed old rows');
}

/** For runs that ended more than `days` ago, and events of their jobs that are as old. Skips locked rows. An abort ends it after a batch. Returns the number of turns. */
export function removeOldTurns(
  database: Kysely<Tables>,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<number> {
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

/** Pull requests that went with messages which are done. Otherwise like `removeOldTurns`. */
export function removeOldChanges(
  database: Kysely<Tables>,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<number> {
  return removeInBatches(database, {
    signal,
    atOnce: changesAtOnce,
    batch: sql`
      with old as (
        select message_changes.message_id, position from message_changes
        join messages on messages.message_id = message_changes.message_id
        where state in ('answered', 'dropped') and created_at < now() - ${days} * interval '1 day'
        limit ${changesAtOnce} for update of message_changes skip locked
      )
      delete from message_changes using old
      where message_changes.message_id = old.message_id and message_changes.position = old.position`,
  });
}

/** The contents of images whose messages are done: no run shows them to a model again. Otherwise like `removeOldTurns`. */
export function removeDoneImages(database: Kysely<Tables>, { signal }: { signal: AbortSignal }): Promise<number> {
  return removeInBatches(database, {
    signal,
    atOnce: changesAtOnce,
    batch: sql`
      with done as (
        select message_images.message_id, position from message_images
        join messages on messages.message_id = message_images.message_id
        where content is not null and state in ('answered', 'dropped')
        limit ${changesAtOnce} for update of message_images skip locked
      )
      update message_images set content = null from done
      where message_images.message_id = done.message_id and message_images.position = done.position`,
  });
}

/** GitHub can no longer redeliver them. Otherwise like `removeOldTurns`. */
export function removeOldDeliveries(
  database: Kysely<Tables>,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<number> {
  return removeInBatches(database, {
    signal,
    atOnce: deliveriesAtOnce,
    batch: sql`
      with old as (
        select delivery_id from deliveries
        where state <> 'stored' and processed_at < now() - ${days} * interval '1 day'
        order by processed_at limit ${deliveriesAtOnce} for update skip locked
      )
      delete from deliveries using old where deliveries.delivery_id = old.delivery_id`,
  });
}

/** What automations passed over, after GitHub can no longer tell of it again. What they took up stays with its job. Otherwise like `removeOldTurns`. */
export function removeOldOccasions(
  database: Kysely<Tables>,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<number> {
  return removeInBatches(database, {
    signal,
    atOnce: deliveriesAtOnce,
    batch: sql`
      with old as (
        select project_id, automation, key from occasions
        where state = 'passed' and finished_at < now() - ${days} * interval '1 day'
        order by finished_at limit ${deliveriesAtOnce} for update skip locked
      )
      delete from occasions using old
      where occasions.project_id = old.project_id and occasions.automation = old.automation and occasions.key = old.key`,
  });
}

/** Also removes all deliveries of removed webhooks, then those webhooks. Otherwise like `removeOldTurns`. */
export async function removeOldWebhookDeliveries(
  database: Kysely<Tables>,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<number> {
  const sum = await removeInBatches(database, {
    signal,
    atOnce: deliveriesAtOnce,
    batch: sql`
      with old as (
        select delivery_id from webhook_deliveries
        where (state <> 'waiting' and finished_at < now() - ${days} * interval '1 day')
          or webhook_id in (select webhook_id from webhooks where removed_at is not null)
          -- what was recorded while their webhook was disabled
          or (state = 'waiting' and webhook_id in (select webhook_id from webhooks where disabled_at < now() - interval '1 hour'))
        limit ${deliveriesAtOnce} for update skip locked
      )
      delete from webhook_deliveries using old
      where webhook_deliveries.delivery_id = old.delivery_id`,
  });
  await sql`
    delete from webhooks where removed_at < now() - interval '1 hour'
      and not exists (select from webhook_deliveries left_over where left_over.webhook_id = webhooks.webhook_id)`.execute(
    database,
  );
  return sum;
}

/** `batch`: a statement that removes at most `atOnce` rows. */
const removeInBatches = (
  database: Kysely<Tables>,
  { signal, atOnce, batch }: { signal: AbortSignal; atOnce: number; batch: RawBuilder<unknown> },
): Promise<number> =>
  inBatches(signal, atOnce, async () => {
    const removed = Number((await batch.execute(database)).numAffectedRows ?? 0n);
    return { found: removed, removed };
  });

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
