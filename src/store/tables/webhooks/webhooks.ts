import { sql } from 'kysely';
import type { Database, Tx } from '../../postgres/database.ts';
import { inMs, msBetween, now } from '../../postgres/moments.ts';
import type { WebhookEvent } from '../columns.ts';
import { changeRow, changeRows, findRow } from '../rows.ts';
import type { NewRow, Row } from '../schema.ts';

export type WebhookRow = Row<'webhooks'>;

export const insertWebhook = (tx: Database, webhook: NewRow<'webhooks'>): Promise<WebhookRow> =>
  tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow();

export async function countWebhooks(tx: Database, projectId: string): Promise<number> {
  const { rows } = await sql`select from webhooks where project_id = ${projectId} and removed_at is null`.execute(tx);
  return rows.length;
}

export interface WebhookKey {
  projectId: string;
  webhookId: string;
}

export const findWebhook = (tx: Database, key: WebhookKey): Promise<WebhookRow | undefined> =>
  findRow(tx, 'webhooks', toPresent(key));

const toPresent = ({ projectId, webhookId }: WebhookKey) => ({
  webhook_id: webhookId,
  project_id: projectId,
  removed_at: null,
});

/** The previous secret stays valid for `keptMs`; older ones do not. Undefined: the project has no such webhook. */
export const rotateWebhookSecret = (
  tx: Database,
  key: WebhookKey,
  { secret, keptMs }: { secret: Buffer; keptMs: number },
): Promise<WebhookRow | undefined> =>
  changeRow(tx, 'webhooks', toPresent(key), {
    secret,
    previous_secret: sql.ref('secret'),
    previous_secret_until: inMs(keptMs),
  });

/** In the order of their ids, locked until the commit against other changes. */
export async function lockWebhookSecrets(
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select * from webhooks where webhook_id > ${after} and removed_at is null
    order by webhook_id limit ${limit} for no key update`.execute(tx);
  return rows;
}

export async function storeWebhookSecrets(
  tx: Tx,
  { webhook_id, ...secrets }: { webhook_id: string; secret: Buffer; previous_secret: Buffer | null },
): Promise<void> {
  await changeRows(tx, 'webhooks', { webhook_id }, secrets);
}

/** Returns for how long it has failed. */
export async function markWebhookFailing(tx: Database, webhookId: string): Promise<number> {
  const { failingMs } = await tx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, now())` })
    .where('webhook_id', '=', webhookId)
    .returning(msBetween(sql`failing_since`, now).as('failingMs'))
    .executeTakeFirstOrThrow();
  return failingMs;
}

export async function markWebhookWorking(tx: Database, webhookId: string): Promise<void> {
  await changeRows(tx, 'webhooks', { webhook_id: webhookId }, working, sql`failing_since is not null`);
}

const working = { failing_since: null, disabled_at: null, disabled_reason: null };

export async function changeWebhook(
  tx: Database,
  webhookId: string,
  change: { url: string; events: string },
): Promise<void> {
  await changeRows(tx, 'webhooks', { webhook_id: webhookId }, change);
}

const pausedBy = 'Paused by ';

/** A person pauses a webhook; failures disable it. */
export const isPaused = ({ disabled_reason: reason }: WebhookRow): boolean => reason?.startsWith(pausedBy) ?? false;

/** Nothing is sent. Does nothing to a webhook that is off. */
export async function pauseWebhook(tx: Database, webhookId: string, login: string): Promise<void> {
  await switchOffWebhook(tx, webhookId, `${pausedBy}${login}.`);
}

/** Does nothing to a webhook that its failures have disabled. */
export async function resumeWebhook(tx: Database, webhookId: string): Promise<void> {
  await changeRows(tx, 'webhooks', { webhook_id: webhookId }, working, sql`disabled_reason like ${`${pausedBy}%`}`);
}

/** Returns false if it was off before. */
export async function switchOffWebhook(tx: Database, webhookId: string, reason: string): Promise<boolean> {
  const off = { disabled_at: now, disabled_reason: reason };
  return (await changeRows(tx, 'webhooks', { webhook_id: webhookId, disabled_at: null }, off)) > 0;
}

/** Returns false if the project has no such webhook. Its secrets are gone at once, its deliveries with the next sweep. */
export async function removeWebhook(tx: Database, key: WebhookKey): Promise<boolean> {
  const removed = { removed_at: now, secret: Buffer.alloc(0), previous_secret: null };
  return (await changeRows(tx, 'webhooks', toPresent(key), removed)) > 0;
}

/** Webhooks that receive events now, with their project's name. The lock keeps their rows until the commit. */
export async function listListeners(tx: Database, projectId: string): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select webhook_id, events, owner, repo from webhooks join projects using (project_id)
    where project_id = ${projectId} and webhooks.removed_at is null and disabled_at is null
    order by webhook_id for key share of webhooks`.execute(tx);
  return rows;
}

interface Listener {
  webhook_id: string;
  events: WebhookEvent[];
  owner: string;
  repo: string;
}
