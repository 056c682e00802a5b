import { createId } from '../create-id.ts';
import type { Database } from '../store/postgres/database.ts';
import { inTransaction, type Store } from '../store/store.ts';
import {
  findWebhookDelivery,
  insertWebhookDeliveries,
  repeatWebhookDelivery,
  type WebhookDelivery,
} from '../store/tables/webhooks/webhook-deliveries.ts';
import {
  findWebhook,
  markWebhookWorking,
  type WebhookKey,
  type WebhookRow,
} from '../store/tables/webhooks/webhooks.ts';
import { sendMessage } from './deliver.ts';
import type { Outbound } from './outbound.ts';

/** `test`: a test is sent once. `disabled`: nothing is sent to the webhook. `waiting`: it is on its way already. */
type Redelivered =
  | { kind: 'unknown' | 'test' | 'disabled' }
  | { kind: 'repeated' | 'waiting'; delivery: WebhookDelivery };

/** Sends a delivery that was delivered or given up again: the same id and body, with all its tries. Idempotent while it waits. */
export function redeliver(store: Store, key: WebhookKey, deliveryId: string): Promise<Redelivered> {
  return inTransaction(store, async ({ tx, queue }): Promise<Redelivered> => {
    const webhook = await findWebhook(tx, key);
    const delivery = webhook && (await findWebhookDelivery(tx, { webhookId: key.webhookId, deliveryId }));
    if (webhook === undefined || delivery === undefined) return { kind: 'unknown' };
    if (delivery.job_id === null) return { kind: 'test' };
    if (webhook.disabled_at !== null) return { kind: 'disabled' };
    const repeated = await repeatWebhookDelivery(tx, deliveryId);
    if (repeated === undefined) return { kind: 'waiting', delivery };
    await queue.send(tx, 'webhook', {});
    return { kind: 'repeated', delivery: repeated };
  });
}

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
