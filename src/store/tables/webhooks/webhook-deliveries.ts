import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { inMs, now } from '../../postgres/moments.ts';
import { changeRow, changeRows, findRow } from '../rows.ts';
import type { NewRow, Row } from '../schema.ts';
import type { WebhookRow } from './webhooks.ts';

export type WebhookDelivery = Row<'webhook_deliveries'>;

export const insertWebhookDeliveries = (
  tx: Database,
  deliveries: readonly NewRow<'webhook_deliveries'>[],
): Promise<WebhookDelivery[]> => tx.insertInto('webhook_deliveries').values(deliveries).returningAll().execute();

export interface ClaimedDelivery {
  delivery: WebhookDelivery;
  webhook: WebhookRow;
}

/** How many deliveries are on their way at once, over all processes. */
interface ClaimLimits {
  perWebhook: number;
  perProject: number;
  /** False: only webhooks whose last delivery succeeded. */
  includesFailing: boolean;
  claimMs: number;
}

/** An earlier delivery of the job to the webhook has to arrive first. */
const isFirst = sql<boolean>`not exists (
  select from webhook_deliveries earlier
  where earlier.webhook_id = d.webhook_id and earlier.job_id = d.job_id and earlier.state = 'waiting' and earlier.seq < d.seq
)`;

/**
 * Claims one due delivery, of the project with the fewest on their way. Undefined: none is due, or others claim those that are. The row of
 * the webhook is locked first: the second statement sees what others claimed before.
 */
export function claimWebhookDelivery(
  database: Database,
  { perWebhook, perProject, includesFailing, claimMs }: ClaimLimits,
): Promise<ClaimedDelivery | undefined> {
  return database.transaction().execute(async (tx) => {
    const { rows: webhooks } = await sql<WebhookRow>`
      with due as (
        select distinct webhook_id from webhook_deliveries d where state = 'waiting' and due_at <= now() and ${isFirst}
      ),
      busy as (
        select webhook_id, project_id, count(*) as sending from webhook_deliveries join webhooks using (webhook_id)
        where state = 'waiting' and claimed_until > now() group by webhook_id, project_id
      ),
      busy_projects as (select project_id, sum(sending) as sending from busy group by project_id)
      select w.* from webhooks w join due using (webhook_id)
        left join busy using (webhook_id) left join busy_projects on busy_projects.project_id = w.project_id
      where w.removed_at is null and w.disabled_at is null and (${includesFailing} or w.failing_since is null)
        and coalesce(busy.sending, 0) < ${perWebhook} and coalesce(busy_projects.sending, 0) < ${perProject}
      order by coalesce(busy_projects.sending, 0), coalesce(busy.sending, 0), w.webhook_id
      limit 1 for no key update of w skip locked`.execute(tx);
    const [webhook] = webhooks;
    if (!webhook) return undefined;
    const { rows } = await sql<WebhookDelivery>`
      update webhook_deliveries set tries = tries + 1, tried_at = now(),
        due_at = ${inMs(claimMs)}, claimed_until = ${inMs(claimMs)}
      where delivery_id = (
        select delivery_id from webhook_deliveries d
        where webhook_id = ${webhook.webhook_id} and state = 'waiting' and due_at <= now() and ${isFirst}
          and (select count(*) from webhook_deliveries sending where sending.webhook_id = d.webhook_id
            and sending.state = 'waiting' and sending.claimed_until > now()) < ${perWebhook}
        order by due_at, seq limit 1
      )
      returning *`.execute(tx);
    const [delivery] = rows;
    return delivery && { delivery, webhook };
  });
}

/** Returns the body for every try: the one that was stored first. */
export async function keepWebhookBody(tx: Database, deliveryId: string, body: string): Promise<string> {
  const kept = { body: sql`coalesce(body, ${body})` };
  const row = await changeRow(tx, 'webhook_deliveries', { delivery_id: deliveryId }, kept);
  if (!row?.body) throw new Error(`webhook delivery ${deliveryId} is gone`);
  return row.body;
}

/** The result of a try. `retryMs` is null after the last one. */
export type TriedDelivery = { status: number | null } & (
  | { kind: 'delivered' }
  | { kind: 'failed'; error: string; retryMs: number | null }
);

/** Does nothing if another process has claimed the delivery since. */
export async function recordWebhookTry(
  tx: Database,
  delivery: WebhookDelivery,
  tried: TriedDelivery,
): Promise<boolean> {
  const retryMs = tried.kind === 'failed' ? tried.retryMs : null;
  const recorded = await changeRows(tx, 'webhook_deliveries', toTry(delivery), {
    claimed_until: null,
    response_status: tried.status,
    error: tried.kind === 'failed' ? tried.error : null,
    ...(retryMs === null ? { state: tried.kind, finished_at: now } : { due_at: inMs(retryMs) }),
  });
  if (recorded === 0) return false;
  await postponeLater(tx, delivery, retryMs ?? 0);
  return true;
}

/** Another process that claims the delivery counts a further try. */
const toTry = ({ delivery_id, tries }: WebhookDelivery) => ({ delivery_id, state: 'waiting' as const, tries });

/** Later deliveries that wait for this one become due with it: no dispatcher looks at them earlier. */
async function postponeLater(
  tx: Database,
  { webhook_id, job_id, seq }: WebhookDelivery,
  delayMs: number,
): Promise<void> {
  const waiting = { webhook_id, job_id, state: 'waiting' } as const;
  await changeRows(tx, 'webhook_deliveries', waiting, { due_at: inMs(delayMs) }, sql`seq > ${seq}`);
}

/** The try does not count: this process stops. */
export async function releaseWebhookDelivery(tx: Database, delivery: WebhookDelivery): Promise<void> {
  const released = { tries: delivery.tries - 1, due_at: now, claimed_until: null };
  await changeRows(tx, 'webhook_deliveries', toTry(delivery), released);
}

export const findWebhookDelivery = (
  tx: Database,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDelivery | undefined> =>
  findRow(tx, 'webhook_deliveries', { webhook_id: webhookId, delivery_id: deliveryId });

/** Sends a delivery that is over once more, with all its tries. Undefined: it is waiting. */
export function repeatWebhookDelivery(tx: Database, deliveryId: string): Promise<WebhookDelivery | undefined> {
  const repeated = { state: 'waiting', tries: 0, due_at: now, claimed_until: null, finished_at: null } as const;
  return changeRow(tx, 'webhook_deliveries', { delivery_id: deliveryId }, repeated, sql`state <> 'waiting'`);
}

/** For a disabled webhook. */
export async function failWaitingDeliveries(tx: Database, webhookId: string, error: string): Promise<void> {
  const failed = { state: 'failed', error, finished_at: now, claimed_until: null } as const;
  await changeRows(tx, 'webhook_deliveries', { webhook_id: webhookId, state: 'waiting' }, failed);
}
