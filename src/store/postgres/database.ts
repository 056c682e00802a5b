import { DummyDriver, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.ts';
import type { Tables } from '../tables/schema.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import { PlanLost } from './send-statement.ts';

const statementTimeoutMs = 30_000;

export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

/** Ends silent connections: a half-open socket would block a worker until TCP gives up, hours later. */
export const connectionOptions = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + 5_000,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** `open` includes idle connections; `waiting` counts requests for one. */
export interface PoolUse {
  open: number;
  idle: number;
  waiting: number;
}

interface DatabaseOptions {
  connection: Connection;
  log: Log;
  max?: number;
}

/** Logs and replaces a broken connection; only its own queries fail. */
export function createDatabase(options: DatabaseOptions): Database {
  return createPooledDatabase(options).database;
}

export function createPooledDatabase({ connection, log, max = 10 }: DatabaseOptions): {
  database: Database;
  readPoolUse: () => PoolUse;
} {
  const pool = new pg.Pool({ ...connection, ...connectionOptions, max, types: numbers, pipeline: true });
  // Without a listener pg ends the process: https://node-postgres.com/apis/pool#error
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  });
  return {
    database: new Kysely<Tables>({ dialect: createPostgresDialect({ pool }) }),
    readPoolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** A transaction whose statements may be planned once for each connection. Repeats `work` if a pooler has lost a plan. */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const run = () => database.transaction().execute(work);
  return run().catch((error: unknown) => {
    if (error instanceof PlanLost) return run();
    throw error;
  });
}

/** Reads of one moment. Joins the transaction that `database` belongs to. */
export const inSnapshot = <T>(database: Database, read: (tx: Tx) => Promise<T>): Promise<T> =>
  database instanceof Transaction
    ? read(database)
    : database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

/** Rounded down to the millisecond. */
export async function readDatabaseTime(database: Database): Promise<Date> {
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

/**
 * Results of statements of one connection, which are sent in this order without waiting for each other's answers: one round trip. What `send`
 * returns has settled before this throws, so no statement follows the rollback. Kysely by itself waits for each answer.
 */
export function sendTogether<const Sent extends readonly Promise<unknown>[]>(
  tx: Database,
  send: (tx: Tx) => Sent,
): Promise<{ -readonly [Key in keyof Sent]: Awaited<Sent[Key]> }> {
  const executor = tx.getExecutor();
  return executor.provideConnection(async (connection) => {
    const onConnection = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
    const sent = send(new Transaction<Tables>({ ...unused, executor: onConnection }));
    await Promise.allSettled(sent);
    return await Promise.all(sent);
  });
}

/** Only the executor reaches the database. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no connection')) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };
