import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import { plannedOnce } from '../../postgres/send-statement.ts';
import { changeRows, hasRow, listRows } from '../rows.ts';
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

export const isApiKeyUsable = (tx: Database, keyId: string): Promise<boolean> =>
  hasRow(tx, 'api_keys', { key_id: keyId }, isUsable);

export const listApiKeys = (tx: Database, projectId: string): Promise<ApiKey[]> =>
  listRows(tx, 'api_keys', { project_id: projectId }, { by: ['created_at'] });

export const hasUsableApiKey = (
  tx: Database,
  { projectId, name }: { projectId: string; name: string },
): Promise<boolean> => hasRow(tx, 'api_keys', { project_id: projectId, name }, isUsable);

/** Returns false if the key does not exist, not in this project, or was revoked before. */
export async function revokeApiKey(tx: Database, keyId: string, projectId?: string): Promise<boolean> {
  const key = { key_id: keyId, revoked_at: null, ...(projectId !== undefined && { project_id: projectId }) };
  return (await changeRows(tx, 'api_keys', key, { revoked_at: now })) > 0;
}

/** Writes at most once a minute, so that a busy caller does not turn each request into a write. */
export async function recordApiKeyUse(tx: Database, keyId: string): Promise<void> {
  const isDue = sql`(last_used_at is null or last_used_at < now() - interval '1 minute')`;
  await changeRows(tx, 'api_keys', { key_id: keyId }, { last_used_at: now }, isDue);
}
