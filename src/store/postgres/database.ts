import { Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';
import { createPostgresDialect } from './postgres-dialect.ts';

export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** A URL, or the socket of the embedded server. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

/**
 * Ends a connection that went silent: without these a half-open socket blocks a worker until TCP gives up, hours later. No statement of
 * ours takes longer.
 */
export const patience = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: realTiming.database.statementTimeoutMs,
  query_timeout: realTiming.database.statementTimeoutMs + 5_000,
  idle_in_transaction_session_timeout: realTiming.database.statementTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** Open connections (including idle ones), idle connections, and requests that wait for one. */
export interface PoolUse {
  open: number;
  idle: number;
  waiting: number;
}

interface DatabaseOptions {
  connection: Connection;
  log: Log;
  /** Maximum of open connections. */
  max?: number;
}

/** A typed query builder over a connection pool. Logs and replaces a connection that breaks; only its own queries fail. */
export function createDatabase(options: DatabaseOptions): Database {
  return createPooledDatabase(options).database;
}

/** Like `createDatabase`, with the use of its pool. */
export function createPooledDatabase({ connection, log, max = 10 }: DatabaseOptions): {
  database: Database;
  readPoolUse: () => PoolUse;
} {
  const pool = new pg.Pool({ ...connection, ...patience, max, types: numbers });
  // Without a listener pg ends the process: https://node-postgres.com/apis/pool#error. The pool removes its own listener while a connection
  // is in use; the query of its user fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  });
  return {
    database: new Kysely<Tables>({ dialect: createPostgresDialect({ pool }) }),
    readPoolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** The database's clock, which all processes share, rounded down to the millisecond. */
export async function readDatabaseTime(database: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.time;
}

const bigint = 20;

/** pg returns bigints as strings; ours (GitHub’s ids, token counts) are far below 2^53. */
const numbers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === bigint ? Number : pg.types.getTypeParser(id, format ?? 'text')) as typeof pg.types.getTypeParser,
};
