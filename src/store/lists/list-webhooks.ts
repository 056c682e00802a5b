import type { Database } from '../postgres/database.ts';
import type { WebhookDelivery } from '../tables/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../tables/webhooks/webhooks.ts';
import { cutPage, type ListPage, type PageRequest, rowsToRead } from './page.ts';

/** Newest first. */
export async function listWebhooks(
  database: Database,
  projectId: string,
  page: PageRequest<string>,
): Promise<ListPage<WebhookRow, string>> {
  const rows = await database
    .selectFrom('webhooks')
    .selectAll()
    .where(({ and }) => and({ project_id: projectId, removed_at: null }))
    .$if(page.after !== undefined, (all) => all.where('webhook_id', '<', page.after ?? ''))
    .orderBy('webhook_id', 'desc')
    .limit(rowsToRead(page))
    .execute();
  return cutPage(rows, page, ({ webhook_id: webhookId }) => webhookId);
}

/** Newest first. */
export async function listWebhookDeliveries(
  database: Database,
  webhookId: string,
  page: PageRequest<number>,
): Promise<ListPage<WebhookDelivery, number>> {
  const rows = await database
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .$if(page.after !== undefined, (all) => all.where('seq', '<', page.after ?? 0))
    .orderBy('seq', 'desc')
    .limit(rowsToRead(page))
    .execute();
  return cutPage(rows, page, ({ seq }) => seq);
}
