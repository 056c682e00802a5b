import { isId } from '../ids.ts';
import type { Database } from '../store/postgres/database.ts';
import { revokeApiKey } from '../store/tables/access/api-keys.ts';

/** Revokes a key from the next request on. Returns false if there is no such key, or it is already revoked. */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  return isId('key', keyId) && (await revokeApiKey(database, keyId));
}

/** Like `revokeKey`, for a key of this project only. */
export async function revokeProjectKey(
  database: Database,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<boolean> {
  return isId('key', keyId) && (await revokeApiKey(database, keyId, projectId));
}
