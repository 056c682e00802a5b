import { Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import type { Tables } from '../tables/schema.ts';
import { createPostgresDialect } from './postgres-dialect.ts';

export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Where the server is: a URL, or the embedded server's socket. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

/** Ends a connection that went silent: without these a half-open socket holds a worker until TCP gives up, hours later. */
export const patience = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: realTiming.database.statementTimeoutMs,
  query_timeout: realTiming.database.statementTimeoutMs + 5_000,
  idle_in_transaction_session_timeout: realTiming.database.statementTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** How many connections a pool has open, idle ones among them, and how many askers wait for one. */
export interface PoolUse {
  open: number;
  idle: number;
  waiting: number;
}

interface DatabaseOptions {
  connection: Connection;
  log: Log;
  /** How many connections the pool may have open. */
  max?: number;
}

/** The typed query builder over a pool of ours. A connection that breaks is logged and replaced; only what used it is told. */
export function createDatabase(options: DatabaseOptions): Database {
  return createPooledDatabase(options).database;
}

/** The same, with the way to look at its pool. */
export function createPooledDatabase({ connection, log, max = 10 }: DatabaseOptions): {
  database: Database;
  readPoolUse: () => PoolUse;
} {
  const pool = new pg.Pool({ ...connection, ...patience, max, types: numbers });
  // Without a listener pg ends the process: https://node-postgres.com/apis/pool#error
  // The pool's own is off while a connection is lent, a transaction's above all; whoever has it sees its next query fail.
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

/** Our bigints (GitHub's ids, token counts) are far below 2^53; pg hands them out as strings. */
const numbers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === bigint ? Number : pg.types.getTypeParser(id, format ?? 'text')) as typeof pg.types.getTypeParser,
};
