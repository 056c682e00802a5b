import type { Database } from '../store/postgres/database.ts';
import { type ApiKey, findUsableApiKey, recordApiKeyUse, type UsableApiKey } from '../store/tables/access/api-keys.ts';
import { digestKey, isWellFormedKey } from './key-format.ts';

const touchKeyEveryMs = 60_000;

/** Finds a usable key and records its use. Not cached: a revoked key is refused on the next request. Looked up by digest, against timing attacks. */
export async function verifyKey(database: Database, secret: string): Promise<UsableApiKey | undefined> {
  if (!isWellFormedKey(secret)) return undefined;
  const apiKey = await findUsableApiKey(database, digestKey(secret));
  if (apiKey && isTouchDue(apiKey)) await recordApiKeyUse(database, apiKey.key_id);
  return apiKey;
}

const isTouchDue = ({ last_used_at: usedAt }: ApiKey) => !usedAt || Date.now() - usedAt.getTime() > touchKeyEveryMs;
