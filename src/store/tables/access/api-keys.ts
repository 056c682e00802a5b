import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { plannedOnce } from '../../postgres/send-statement.ts';
import type { NewRow, Row } from '../schema.ts';

export type ApiKey = Row<'api_keys'>;

/** A valid key with its repository's name, in one query, because every request needs both. */
export type UsableApiKey = ApiKey & { owner: string; repo: string };

export async function insertApiKey(tx: Database, key: NewRow<'api_keys'>): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute();
}

const isUsable = sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > now()))`;

/** Every request of the API asks this: as text, it costs a sixth of what the query builder takes. */
export async function findUsableApiKey(tx: Database, sha256: Buffer): Promise<UsableApiKey | undefined> {
  const { rows } = await sql<UsableApiKey>`${plannedOnce}
    select api_keys.*, owner, repo from api_keys join projects using (project_id)
    where sha256 = ${sha256} and ${isUsable}`.execute(tx);
  return rows[0];
}

export async function isApiKeyUsable(tx: Database, keyId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('api_keys')
    .select('key_id')
    .where('key_id', '=', keyId)
    .where(isUsable)
    .executeTakeFirst();
  return found !== undefined;
}

export function listApiKeys(tx: Database, projectId: string): Promise<ApiKey[]> {
  return tx.selectFrom('api_keys').selectAll().where('project_id', '=', projectId).orderBy('created_at').execute();
}

export async function hasUsableApiKey(
  tx: Database,
  { projectId, name }: { projectId: string; name: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('api_keys')
    .select('key_id')
    .where(({ and }) => and({ project_id: projectId, name }))
    .where(isUsable)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns false if the key does not exist, not in this project, or was revoked before. */
export async function revokeApiKey(tx: Database, keyId: string, projectId?: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where(({ and }) => and({ key_id: keyId, revoked_at: null }))
    .$if(projectId !== undefined, (keys) => keys.where('project_id', '=', projectId ?? ''))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Writes at most once a minute, so that a busy caller does not turn each request into a write. */
export async function recordApiKeyUse(tx: Database, keyId: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
    .where('key_id', '=', keyId)
    .where(sql<boolean>`last_used_at is null or last_used_at < now() - interval '1 minute'`)
    .execute();
}
