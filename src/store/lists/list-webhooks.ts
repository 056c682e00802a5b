import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { WebhookDelivery } from '../tables/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../tables/webhooks/webhooks.ts';
import { type ListPage, type PageRequest, readListPage } from './page.ts';

/** Newest first. */
export function listWebhooks(
  database: Database,
  projectId: string,
  page: PageRequest<string>,
): Promise<ListPage<WebhookRow, string>> {
  const present = sql<WebhookRow>`select * from webhooks where project_id = ${projectId} and removed_at is null`;
  return readListPage(database, present, 'webhook_id', page, (row) => row.webhook_id);
}

/** Newest first. */
export function listWebhookDeliveries(
  database: Database,
  webhookId: string,
  page: PageRequest<number>,
): Promise<ListPage<WebhookDelivery, number>> {
  const all = sql<WebhookDelivery>`select * from webhook_deliveries where webhook_id = ${webhookId}`;
  return readListPage(database, all, 'seq', page, ({ seq }) => seq);
}
