import { sql } from 'kysely';
import { realTiming } from '../../../timing.ts';
import type { Database } from '../../postgres/database.ts';
import { agoMs, now } from '../../postgres/moments.ts';
import { changeRows, findRow } from '../rows.ts';
import type { Row } from '../schema.ts';

type Session = Row<'sessions'>;

const { idleMs, longestMs, touchEveryMs } = realTiming.sessions;

export const hasEnded = sql<boolean>`(used_at < ${agoMs(idleMs)} or created_at < ${agoMs(longestMs)})`;

export async function insertSession(
  tx: Database,
  { sha256, userId, login }: { sha256: Buffer; userId: number; login: string },
): Promise<void> {
  await tx.insertInto('sessions').values({ sha256, user_id: userId, login }).execute();
}

/** Undefined if it has ended. */
export const findSession = (tx: Database, sha256: Buffer): Promise<Session | undefined> =>
  findRow(tx, 'sessions', { sha256 }, sql`not ${hasEnded}`);

/** Writes at most once a minute. */
export async function recordSessionUse(tx: Database, { sha256, used_at: usedAt }: Session): Promise<void> {
  if (Date.now() - usedAt.getTime() < touchEveryMs) return;
  await changeRows(tx, 'sessions', { sha256 }, { used_at: now }, sql`used_at < ${agoMs(touchEveryMs)}`);
}

export async function deleteSession(tx: Database, sha256: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('sha256', '=', sha256).execute();
}

/** Returns how many sessions of the person had not ended. */
export async function deleteSessionsOf(tx: Database, userId: number): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

/** How many a minute allows. */
const most = 30;
const isOver = sql`sign_in_attempts.window_start <= now() - interval '1 minute'`;

/** Counts an attempt. Returns the seconds to wait, at most 60; 0: the attempt is allowed. Exact, because concurrent attempts wait for each other. */
export async function countAttempt(tx: Database, sha256: Buffer): Promise<number> {
  const { rows } = await sql<{ used: number; waitSeconds: number }>`
    insert into sign_in_attempts (sha256, window_start, used) values (${sha256}, now(), 1)
    on conflict (sha256) do update set
      window_start = case when ${isOver} then now() else sign_in_attempts.window_start end,
      used = case when ${isOver} then 1 else least(sign_in_attempts.used, ${most}) + 1 end
    returning used, least(60, ceil(extract(epoch from window_start + interval '1 minute' - now())))::int as "waitSeconds"`.execute(
    tx,
  );
  const { used = 0, waitSeconds = 0 } = rows[0] ?? {};
  return used > most ? Math.max(1, waitSeconds) : 0;
}

/** Uncounts the two requests of a successful sign-in. */
export async function forgiveAttempts(tx: Database, sha256: Buffer): Promise<void> {
  await sql`update sign_in_attempts set used = greatest(used - 2, 0) where sha256 = ${sha256}`.execute(tx);
}
