import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { plannedOnceRepeated } from '../../postgres/send-statement.ts';
import type { StoredAnswer } from '../columns.ts';

interface IdempotencyKey {
  projectId: string;
  key: string;
}

/** `answered`: the request was accepted before. `busy`: another transaction has taken the key. */
type TakenKey = { kind: 'busy' | 'free' } | { kind: 'answered'; fingerprint: Buffer; answer: StoredAnswer };

/** Differs from all other advisory locks in the database. */
const idempotencyLocks = 1_886_152_558;

export const isOld = sql<boolean>`idempotency_keys.created_at <= now() - interval '24 hours'`;

/**
 * Takes a free key for the rest of the transaction, without waiting. One statement, whose snapshot may be older than its lock: only
 * `keepAnswer` knows for sure that the key was free.
 */
export async function takeIdempotencyKey(tx: Database, { projectId, key }: IdempotencyKey): Promise<TakenKey> {
  const { rows } = await sql<{
    isTaken: boolean;
    fingerprint: Buffer | null;
    answer: StoredAnswer | null;
  }>`${plannedOnceRepeated}
    select taken."isTaken", fingerprint, answer
    from (
      select pg_try_advisory_xact_lock(${idempotencyLocks}, hashtext(${`${projectId} ${key}`})) as "isTaken"
    ) as taken
    left join idempotency_keys on project_id = ${projectId} and key = ${key} and not ${isOld}`.execute(tx);
  const { isTaken, fingerprint, answer } = rows[0] ?? { isTaken: false };
  if (fingerprint && answer) return { kind: 'answered', fingerprint, answer };
  return { kind: isTaken ? 'free' : 'busy' };
}

/** For a key that the transaction has taken and found free. False: another transaction kept its answer just before, so this one must roll back. */
export async function keepAnswer(
  tx: Database,
  { projectId, key }: IdempotencyKey,
  { fingerprint, answer }: { fingerprint: Buffer; answer: StoredAnswer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`${plannedOnceRepeated}
    insert into idempotency_keys (project_id, key, fingerprint, answer)
    values (${projectId}, ${key}, ${fingerprint}, ${JSON.stringify(answer)})
    -- The sweep has not removed an old one yet.
    on conflict (project_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = now() where ${isOld}`.execute(tx);
  return numAffectedRows === 1n;
}
