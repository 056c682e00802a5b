import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';

/** How long somebody who waits for an answer is kept waiting for the database. */
const answerWithinMs = 2_000;

/** The database gave no answer in time. What it was asked may still happen, so this is for what may happen late: reads, renewals. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
}

/** The result of `read`; throws `DatabaseSilent` after two seconds without one. */
export async function readInTime<T>(read: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const silence = delay(answerWithinMs, undefined, { signal: answered.signal }).then(() => {
    throw new DatabaseSilent(`the database gave no answer within ${answerWithinMs} ms`);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    answered.abort();
    silence.catch(() => {});
  }
}

/** Whether the database answers a query in time. Never throws. */
export async function isDatabaseAnswering(database: Kysely<Tables>): Promise<boolean> {
  try {
    await readInTime(sql`select 1`.execute(database));
    return true;
  } catch {
    return false;
  }
}

/**
 * SQLSTATE classes that say "not now" and nothing about the statement: connection, transaction rollback (deadlock), out of
 * resources, lock not available, shutdown or time-out, system error. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const passing = /^(08|40|53|55P03|57|58|25P03)/;

/** Whether an error says that the database cannot be used right now; false also where pg gives no code to tell by. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseSilent) return true;
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '');
  // Node's own network errors (ECONNREFUSED, ENOENT of a socket …) name the system call; an AggregateError of them has only the code.
  return error instanceof Error && ('syscall' in error || (error instanceof AggregateError && 'code' in error));
}
