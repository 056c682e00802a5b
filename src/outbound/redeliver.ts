import { inTransaction, type Store } from '../store/store.ts';
import {
  findWebhookDelivery,
  repeatWebhookDelivery,
  type WebhookDelivery,
} from '../store/tables/webhooks/webhook-deliveries.ts';
import { findWebhook, type WebhookKey } from '../store/tables/webhooks/webhooks.ts';

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
