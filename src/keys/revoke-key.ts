import type { Database } from '../store/postgres/database.ts';
import { revokeApiKey } from '../store/tables/api-keys.ts';

const form = /^key_[0-9a-z]{26}$/;

/** Ends a key for good, from the next request on. Returns false when there is no such key or it was revoked before. */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  return form.test(keyId) && (await revokeApiKey(database, keyId));
}
