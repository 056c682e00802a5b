import { sql, type Transaction } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { NewRow, Row, Tables } from '../schema.ts';

export type WebhookRow = Row<'webhooks'>;

export const insertWebhook = (tx: Database, webhook: NewRow<'webhooks'>): Promise<WebhookRow> =>
  tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow();

export async function countWebhooks(tx: Database, projectId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where(({ and }) => and({ project_id: projectId, removed_at: null }))
    .executeTakeFirstOrThrow();
  return count;
}

export interface WebhookKey {
  projectId: string;
  webhookId: string;
}

export function findWebhook(tx: Database, { projectId, webhookId }: WebhookKey): Promise<WebhookRow | undefined> {
  return tx
    .selectFrom('webhooks')
    .selectAll()
    .where(({ and }) => and({ webhook_id: webhookId, project_id: projectId, removed_at: null }))
    .executeTakeFirst();
}

/** The previous secret stays valid for `keptMs`; older ones do not. Undefined: the project has no such webhook. */
export function rotateWebhookSecret(
  tx: Database,
  { projectId, webhookId }: WebhookKey,
  { secret, keptMs }: { secret: Buffer; keptMs: number },
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhooks')
    .set({
      secret,
      previous_secret: sql.ref('secret'),
      previous_secret_until: sql<Date>`now() + ${keptMs} * interval '1 millisecond'`,
    })
    .where(({ and }) => and({ webhook_id: webhookId, project_id: projectId, removed_at: null }))
    .returningAll()
    .executeTakeFirst();
}

export type WebhookSecrets = Pick<WebhookRow, 'webhook_id' | 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** In the order of their ids, locked until the commit against other changes. */
export function lockWebhookSecrets(
  tx: Transaction<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<WebhookSecrets[]> {
  return tx
    .selectFrom('webhooks')
    .select(['webhook_id', 'secret', 'previous_secret', 'previous_secret_until'])
    .where('webhook_id', '>', after)
    .where('removed_at', 'is', null)
    .orderBy('webhook_id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

export async function storeWebhookSecrets(
  tx: Transaction<Tables>,
  { webhook_id: webhookId, ...secrets }: { webhook_id: string; secret: Buffer; previous_secret: Buffer | null },
): Promise<void> {
  await tx.updateTable('webhooks').set(secrets).where('webhook_id', '=', webhookId).execute();
}

/** Returns for how long it has failed. */
export async function markWebhookFailing(tx: Database, webhookId: string): Promise<number> {
  const { failingMs } = await tx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, now())` })
    .where('webhook_id', '=', webhookId)
    .returning(sql<number>`(extract(epoch from now() - failing_since) * 1000)::float8`.as('failingMs'))
    .executeTakeFirstOrThrow();
  return failingMs;
}

export async function markWebhookWorking(tx: Database, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failing_since: null, disabled_at: null, disabled_reason: null })
    .where('webhook_id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute();
}

export async function changeWebhook(
  tx: Database,
  webhookId: string,
  { url, events }: { url: string; events: string },
): Promise<void> {
  await tx.updateTable('webhooks').set({ url, events }).where('webhook_id', '=', webhookId).execute();
}

const pausedBy = 'Paused by ';

/** A person pauses a webhook; failures disable it. */
export const isPaused = ({ disabled_reason: reason }: WebhookRow): boolean => reason?.startsWith(pausedBy) ?? false;

/** Nothing is sent. Does nothing to a webhook that is off. */
export async function pauseWebhook(tx: Database, webhookId: string, login: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: `${pausedBy}${login}.` })
    .where(({ and }) => and({ webhook_id: webhookId, disabled_at: null }))
    .execute();
}

/** Does nothing to a webhook that its failures have disabled. */
export async function resumeWebhook(tx: Database, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ disabled_at: null, disabled_reason: null, failing_since: null })
    .where('webhook_id', '=', webhookId)
    .where('disabled_reason', 'like', `${pausedBy}%`)
    .execute();
}

/** Returns false if it was off before. */
export async function switchOffWebhook(tx: Database, webhookId: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: reason })
    .where(({ and }) => and({ webhook_id: webhookId, disabled_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false if the project has no such webhook. Its secrets are gone at once, its deliveries with the next sweep. */
export async function removeWebhook(tx: Database, { projectId, webhookId }: WebhookKey): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ removed_at: sql`now()`, secret: Buffer.alloc(0), previous_secret: null })
    .where(({ and }) => and({ webhook_id: webhookId, project_id: projectId, removed_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Webhooks that receive events now, with their project's name. The lock keeps their rows until the commit. */
export function listListeners(tx: Database, projectId: string) {
  return tx
    .selectFrom('webhooks')
    .innerJoin('projects', 'projects.project_id', 'webhooks.project_id')
    .select(['webhook_id', 'events', 'owner', 'repo'])
    .where(({ and }) => and({ 'webhooks.project_id': projectId, 'webhooks.removed_at': null, disabled_at: null }))
    .orderBy('webhook_id')
    .forKeyShare('webhooks')
    .execute();
}
