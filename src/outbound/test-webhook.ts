import { createId } from '../create-id.ts';
import type { Database } from '../store/postgres/database.ts';
import { insertWebhookDeliveries, type WebhookDelivery } from '../store/tables/webhooks/webhook-deliveries.ts';
import { markWebhookWorking, type WebhookRow } from '../store/tables/webhooks/webhooks.ts';
import { sendMessage } from './deliver.ts';
import type { Outbound } from './outbound.ts';

/** Sends `webhook.test` once, also to a disabled webhook: a success enables it again. */
export async function testWebhook(
  { database, outbound }: { database: Database; outbound: Outbound },
  webhook: WebhookRow,
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  const { webhook_id: webhookId, url } = webhook;
  const at = new Date();
  const data = { webhook: { id: webhookId, url } };
  const body = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data });
  const messageId = createId('whd');
  const { status, error } = await sendMessage(outbound, { webhook, messageId, body }, signal);
  const [delivery] = await insertWebhookDeliveries(database, [
    {
      delivery_id: messageId,
      webhook_id: webhookId,
      type: 'webhook.test',
      at,
      body,
      tries: 1,
      tried_at: at,
      state: error === null ? 'delivered' : 'failed',
      response_status: status,
      error,
      finished_at: new Date(),
    },
  ]);
  if (!delivery) throw new Error(`could not store the test of ${webhookId}`);
  if (error === null) await markWebhookWorking(database, webhookId);
  return delivery;
}
