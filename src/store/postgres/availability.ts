import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';

/** The database gave no answer in time. What it was asked may still happen, so this is for what may happen late: reads, renewals. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout';
}

/**
 * The connection broke, went silent, could not be made, or leads to a server that takes no writes; `cause` is what pg says, mostly without a
 * code. Like any word of a database that is away it says nothing about the statement, nor whether it was carried out.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The result of `read`; throws `DatabaseTimeout` after two seconds without one. */
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
 * Does something with the database that somebody waits for, on one connection. After `withinMs` without an end it throws `DatabaseTimeout`
 * and that connection is ended: a transaction that is open on it is not committed later. Only where the COMMIT itself was on its way can
 * nobody know what became of it.
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
    // Whatever is thrown on a connection that was ended comes of that.
    throw givingUp.signal.aborted ? givingUp.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** What a server says to a write that is a standby, or was made read-only, as managed ones are when their disk is nearly full. */
export const readOnly = '25006';

/** Fails as a write does, so that a connection to such a server is ended here too, and writes nothing. */
const refuseReadOnly = sql`do $$ begin
  if current_setting('transaction_read_only')::boolean then raise sqlstate '${sql.raw(readOnly)}'; end if;
end $$`;

/** Whether the database answers a query in time and takes writes. Never throws. */
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
 * SQLSTATE classes that say "not now" and nothing about the statement: connection, transaction rollback (deadlock), out of
 * resources, lock not available, shutdown or time-out, system error, and `readOnly`.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const passing = new RegExp(`^(08|40|53|55P03|57|58|25P03|${readOnly})`);

/** Whether an error says that the database cannot be used right now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeout || error instanceof ConnectionLost) return true;
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '');
  // A connection that is not of our pool (ECONNREFUSED, ENOENT of a socket …). Other system calls are those of files, a full disk above all;
  // an AggregateError of several addresses has only the code.
  const isRefused = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return isRefused || (error instanceof AggregateError && 'code' in error);
}

/** Whether the database, which is there, lacks what a statement needs: room on its disk above all. Such an error is a passing one as well. */
export function isDatabaseFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('53') === true;
}
