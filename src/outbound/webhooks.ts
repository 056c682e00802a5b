import { createId } from '../create-id.ts';
import type { Database } from '../store/postgres/database.ts';
import type { WebhookEvent } from '../store/tables/columns.ts';
import { lockProjectExclusively } from '../store/tables/repositories/projects.ts';
import {
  countWebhooks,
  insertWebhook,
  rotateWebhookSecret,
  type WebhookKey,
  type WebhookRow,
} from '../store/tables/webhooks/webhooks.ts';
import { realTiming } from '../timing.ts';
import type { Seal } from './seal.ts';
import { generateSecret } from './sign.ts';

export const maxWebhooks = 100;

type CreatedWebhook = { kind: 'created'; webhook: WebhookRow; secret: string } | { kind: 'too_many' };

/** `url` has passed `parseWebhookUrl`. The secret is returned only here. */
export async function createWebhook(
  { database, seal }: { database: Database; seal: Seal },
  { projectId, url, events }: { projectId: string; url: string; events: readonly WebhookEvent[] },
): Promise<CreatedWebhook> {
  const secret = generateSecret();
  const webhookId = createId('whk');
  const sealed = seal.close(secret, webhookId);
  return database.transaction().execute(async (tx) => {
    await lockProjectExclusively(tx, projectId);
    if ((await countWebhooks(tx, projectId)) >= maxWebhooks) return { kind: 'too_many' };
    const row = { webhook_id: webhookId, project_id: projectId, url, events: JSON.stringify(events), secret: sealed };
    return { kind: 'created', webhook: await insertWebhook(tx, row), secret };
  });
}

/** The previous secret stays valid for a day; older ones do not. Undefined: the project has no such webhook. */
export async function rotateSecret(
  { database, seal }: { database: Database; seal: Seal },
  key: WebhookKey,
): Promise<{ webhook: WebhookRow; secret: string } | undefined> {
  const secret = generateSecret();
  const { previousSecretMs: keptMs } = realTiming.outbound;
  const sealed = seal.close(secret, key.webhookId);
  const webhook = await rotateWebhookSecret(database, key, { secret: sealed, keptMs });
  return webhook && { webhook, secret };
}

/** The valid ones, the newest first. Throws `SealBroken`. */
export function openSecrets(seal: Seal, webhook: WebhookRow, now = new Date()): string[] {
  const { webhook_id: owner, secret, previous_secret: previous, previous_secret_until: until } = webhook;
  const isValid = previous !== null && until !== null && until > now;
  return [secret, ...(isValid ? [previous] : [])].map((sealed) => seal.open(sealed, owner));
}
