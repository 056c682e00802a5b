import { createId } from '../create-id.ts';
import type { Database } from '../store/postgres/database.ts';
import type { WebhookEvent } from '../store/tables/columns.ts';
import { lockProjectExclusively } from '../store/tables/repositories/projects.ts';
import {
  countWebhooks,
  insertWebhook,
  lockWebhookSecrets,
  rotateWebhookSecret,
  storeWebhookSecrets,
  type WebhookKey,
  type WebhookRow,
} from '../store/tables/webhooks/webhooks.ts';
import { realTiming } from '../timing.ts';
import { generateSecret, type Seal, SealBroken } from './seal.ts';

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

const atOnce = 200;

interface RenewedSecrets {
  webhooks: number;
  renewed: number;
  /** Webhooks with a secret that none of the keys opens. */
  lost: string[];
}

/** Encrypts the secrets of all webhooks with the first key. Idempotent; safe while the service runs. Throws `SecretsKeyMissing`. */
export async function renewSecrets({ database, seal }: { database: Database; seal: Seal }): Promise<RenewedSecrets> {
  const total: RenewedSecrets = { webhooks: 0, renewed: 0, lost: [] };
  for (let after = ''; ; ) {
    const page = await database.transaction().execute(async (tx) => {
      const rows = await lockWebhookSecrets(tx, { after, limit: atOnce });
      for (const row of rows) {
        total.webhooks += 1;
        const renewed = renew(seal, row);
        if (renewed === 'lost') total.lost.push(row.webhook_id);
        if (renewed === 'lost' || renewed === 'current') continue;
        await storeWebhookSecrets(tx, { webhook_id: row.webhook_id, ...renewed });
        total.renewed += 1;
      }
      return rows;
    });
    const last = page.at(-1);
    if (!last) return total;
    after = last.webhook_id;
  }
}

function renew(seal: Seal, { webhook_id: owner, secret, previous_secret, previous_secret_until: until }: WebhookRow) {
  // An expired one may be older than all keys.
  const previous = until !== null && until > new Date() ? previous_secret : null;
  try {
    const changed = { secret: seal.renew(secret, owner), previous: previous && seal.renew(previous, owner) };
    if (!changed.secret && !changed.previous) return 'current';
    return { secret: changed.secret ?? secret, previous_secret: changed.previous ?? previous };
  } catch (error) {
    if (error instanceof SealBroken) return 'lost';
    throw error;
  }
}
