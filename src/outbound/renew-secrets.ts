import type { Database } from '../store/postgres/database.ts';
import { lockWebhookSecrets, storeWebhookSecrets, type WebhookSecrets } from '../store/tables/webhooks/webhooks.ts';
import { type Seal, SealBroken } from './seal.ts';

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

function renew(
  seal: Seal,
  { webhook_id: owner, secret, previous_secret, previous_secret_until: until }: WebhookSecrets,
) {
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
