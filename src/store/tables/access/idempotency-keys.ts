import { type Kysely, sql } from 'kysely';
import type { StoredAnswer } from '../columns.ts';
import type { Tables } from '../schema.ts';

interface IdempotencyKey {
  projectId: string;
  key: string;
}

/** `answered`: the request was accepted before. `busy`: another transaction has taken the key. */
type TakenKey = { kind: 'busy' | 'free' } | { kind: 'answered'; fingerprint: Buffer; answer: StoredAnswer };

/** Differs from all other advisory locks in the database. */
const idempotencyLocks = 1_886_152_558;

const isKept = sql<boolean>`created_at > now() - interval '24 hours'`;

/** Takes a free key for the rest of the transaction, without waiting. */
export async function takeIdempotencyKey(tx: Kysely<Tables>, { projectId, key }: IdempotencyKey): Promise<TakenKey> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(${idempotencyLocks}, hashtext(${`${projectId} ${key}`})) as "isTaken"`.execute(tx);
  // A second statement: it must see the row that the transaction before it stored.
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .where(isKept)
    .executeTakeFirst();
  if (stored) return { kind: 'answered', ...stored };
  return { kind: rows[0]?.isTaken ? 'free' : 'busy' };
}

/** For a key that the transaction has taken and found free. */
export async function keepAnswer(
  tx: Kysely<Tables>,
  { projectId, key }: IdempotencyKey,
  { fingerprint, answer }: { fingerprint: Buffer; answer: StoredAnswer },
): Promise<void> {
  const values = { fingerprint, answer: JSON.stringify(answer), created_at: sql<Date>`now()` };
  await tx
    .insertInto('idempotency_keys')
    .values({ project_id: projectId, key, ...values })
    // The sweep has not removed an old one yet.
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet(values))
    .execute();
}

export async function sweepIdempotencyKeys(tx: Kysely<Tables>): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where(sql<boolean>`not ${isKept}`).execute();
}
