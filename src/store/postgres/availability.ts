import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';

/**
 * The database did not answer in time. The statement may still take effect, so use this for statements that may run late: reads, renewals.
 */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout';
}

/**
 * The connection broke, timed out, could not be opened, or leads to a read-only server; `cause` is pg’s error, mostly without a code. Says
 * nothing about the statement, not even whether it took effect.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Returns the result of `read`. Throws `DatabaseTimeout` after two seconds. */
export async function readWithDeadline<T>(read: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const silence = delay(realTiming.database.answerWithinMs, undefined, { signal: answered.signal }).then(() => {
    throw new DatabaseTimeout(`the database gave no answer within ${realTiming.database.answerWithinMs} ms`);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    answered.abort();
    silence.catch(() => {});
  }
}

/**
 * Runs `work` on one connection. After `withinMs` it throws `DatabaseTimeout` and closes the connection, so an open transaction cannot
 * commit later. Only if the COMMIT itself was in flight, its outcome is unknown.
 */
export async function withDeadline<T>(
  database: Kysely<Tables>,
  { withinMs = realTiming.database.answerWithinMs }: { withinMs?: number },
  work: (database: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const givingUp = new AbortController();
  const giveUp = () =>
    givingUp.abort(new DatabaseTimeout(`the database gave no answer within ${Math.round(withinMs)} ms`));
  const timer = setTimeout(giveUp, withinMs);
  try {
    return await database.connection().execute(work, { signal: givingUp.signal });
  } catch (error) {
    // Closing the connection caused this error.
    throw givingUp.signal.aborted ? givingUp.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** read_only_sql_transaction: a standby, or a server made read-only, as managed ones are when the disk is nearly full. */
export const readOnly = '25006';

/** Fails like a write without writing, so that a connection to a read-only server is closed. */
const refuseReadOnly = sql`do $$ begin
  if current_setting('transaction_read_only')::boolean then raise sqlstate '${sql.raw(readOnly)}'; end if;
end $$`;

/** Whether the database answers in time and accepts writes. Never throws. */
export async function isDatabaseReady(
  database: Kysely<Tables>,
  { withinMs = realTiming.database.readyWithinMs }: { withinMs?: number } = {},
): Promise<boolean> {
  try {
    await withDeadline(database, { withinMs }, (connection) => refuseReadOnly.execute(connection));
    return true;
  } catch {
    return false;
  }
}

/**
 * SQLSTATE classes of transient errors: connection, transaction rollback (deadlock), out of resources, lock not available, shutdown or
 * time-out, system error, and `readOnly`. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const transient = new RegExp(`^(08|40|53|55P03|57|58|25P03|${readOnly})`);

/** Whether an error means that the database is unavailable right now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeout || error instanceof ConnectionLost) return true;
  if (error instanceof pg.DatabaseError) return transient.test(error.code ?? '');
  // A connection outside of our pool (ECONNREFUSED, ENOENT of a socket). Other system calls are file operations, such as on a full disk; an
  // AggregateError of several addresses has only a code.
  const isRefused = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return isRefused || (error instanceof AggregateError && 'code' in error);
}

/** Whether the database lacks a resource, mostly disk space. `isDatabaseUnavailable` is true for such an error, too. */
export function isDatabaseFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('53') === true;
}
