import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { ExpectedError, LeaseLost } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';

const readyWithinMs = 1_500;
const retryEveryMs = 1_000;
/** For writes that must not be lost. */
const retryForMs = 2 * 60_000;

/** The statement may still take effect: use it for reads and renewals only. */
export class DatabaseTimeout extends ExpectedError {
  override readonly name = 'DatabaseTimeout';
}

/** `cause` is pg’s error, mostly without a code. Whether the statement took effect is unknown. */
export class ConnectionLost extends ExpectedError {
  override readonly name = 'ConnectionLost';
}

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

/** On a time-out closes the connection, so an open transaction cannot commit later (unless its COMMIT was in flight). */
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
    throw givingUp.signal.aborted ? givingUp.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A standby, or a server made read-only, as managed ones are when the disk is nearly full. */
export const readOnly = '25006';

/** Fails like a write without writing, so that a connection to a read-only server is closed. */
const refuseReadOnly = sql`do $$ begin
  if current_setting('transaction_read_only')::boolean then raise sqlstate '${sql.raw(readOnly)}'; end if;
end $$`;

/** Never throws. */
export async function isDatabaseReady(
  database: Kysely<Tables>,
  { withinMs = readyWithinMs }: { withinMs?: number } = {},
): Promise<boolean> {
  try {
    await withDeadline(database, { withinMs }, (connection) => refuseReadOnly.execute(connection));
    return true;
  } catch {
    return false;
  }
}

/** Connection, rollback (deadlock), resources, lock, shutdown: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const transient = new RegExp(`^(08|40|53|55P03|57|58|25P03|${readOnly})`);

export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeout || error instanceof ConnectionLost) return true;
  if (error instanceof pg.DatabaseError) return transient.test(error.code ?? '');
  // Outside of our pool (ECONNREFUSED, ENOENT of a socket). An AggregateError of several addresses has only a code.
  const isRefused = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return isRefused || (error instanceof AggregateError && 'code' in error);
}

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined);

/** `isDatabaseUnavailable` is true, too. */
export const isDatabaseDiskFull = (error: unknown): boolean => codeOf(error) === '53100';

/** It has no memory or no connection left. `isDatabaseUnavailable` is true, too. */
export const isDatabaseBusy = (error: unknown): boolean => codeOf(error)?.startsWith('53') === true;

/** Retries every error except `LeaseLost`: an outage must not look like a crash of the worker. Throws the last error. */
export async function retryUntilAvailable<T>(
  database: Kysely<Tables>,
  { signal }: { signal: AbortSignal },
  work: (database: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + retryForMs; ; ) {
    try {
      return await withDeadline(database, { withinMs: realTiming.database.tryWithinMs }, work);
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted || performance.now() > deadline) throw error;
      await delay(retryEveryMs, undefined, { signal }).catch(() => {});
    }
  }
}
