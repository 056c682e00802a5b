import type { Database } from '../store/postgres/database.ts';
import { type ApiKey, findUsableApiKey, recordApiKeyUse, type UsableApiKey } from '../store/tables/api-keys.ts';
import { digestKey, isWellFormedKey } from './key-format.ts';

const touchEveryMs = 60_000;

/**
 * The key that this text is, if it may be used now; notes its use. Looked up for each request and never cached, so that a revoked key is
 * refused on the next one. Found by its digest: no secret is compared byte by byte.
 */
export async function verifyKey(database: Database, text: string): Promise<UsableApiKey | undefined> {
  if (!isWellFormedKey(text)) return undefined;
  const apiKey = await findUsableApiKey(database, digestKey(text));
  if (apiKey && isTouchDue(apiKey)) await recordApiKeyUse(database, apiKey.key_id);
  return apiKey;
}

const isTouchDue = ({ last_used_at: usedAt }: ApiKey) => !usedAt || Date.now() - usedAt.getTime() > touchEveryMs;
