import { hash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg, { type Client, type ClientBase, escapeIdentifier } from 'pg';
import { oldestPostgres } from '../../config/supported-versions.ts';
import type { Log } from '../../log.ts';
import { startEmbeddedPostgresAlone } from '../embedded/embedded-postgres.ts';
import { migrate, readSchemas, type Schemas } from '../migrate.ts';
import { readCopy, writeCopy } from '../postgres/copy.ts';
import { type Connection, createDatabase } from '../postgres/database.ts';
import { inspectDatabase } from '../postgres/inspect-database.ts';
import { createQueue } from '../schedule/queue.ts';
import { listTables, type MovedTable } from './list-tables.ts';

interface Moved {
  tables: { name: string; rows: number }[];
  /** For people, without its user and password. */
  target: string;
}

/**
 * Copies the embedded database into an empty database of another server, compares every row, and closes the embedded one: it no longer
 * starts. No other process may use it. All or nothing: if it throws, the target holds at most empty tables.
 */
export async function moveDatabase(options: {
  dataDir: string;
  databaseUrl: string;
  log: Log;
  signal: AbortSignal;
}): Promise<Moved> {
  const { dataDir, databaseUrl, log, signal } = options;
  const target: Connection = { connectionString: databaseUrl };
  await using embedded = await startEmbeddedPostgresAlone({ dataDir, log, signal });
  await assertUsable(target, log);
  const schemas = {
    source: await prepare(embedded.connection, { log, signal }),
    target: await prepare(target, { log, signal }),
  };
  await using from = await connect(embedded.connection);
  await using to = await connect(target);
  await from.client.query(`begin isolation level repeatable read read only; ${textSettings}`);
  await to.client.query(`begin; ${textSettings}`);
  const pairs = pairTables(await listTables(from.client, schemas.source), await listTables(to.client, schemas.target));
  const targets = pairs.map((pair) => pair.target);
  await to.client.query(`lock table ${listPaths(targets)} in access exclusive mode`);
  await assertEmpty(to.client, targets);
  await to.client.query(`truncate ${listPaths(targets.filter(({ schema }) => schema === 'queue'))}`);
  const tables: Moved['tables'] = [];
  for (const pair of pairs) tables.push(await moveTable({ from: from.client, to: to.client, signal }, pair));
  await to.client.query(`analyze ${listPaths(targets)}`);
  signal.throwIfAborted();
  await to.client.query('commit');
  const { host, port, database } = to.client;
  const name = `database ${database} at ${host}:${port}`;
  await embedded.retire(name);
  return { tables, target: name };
}

const listPaths = (tables: readonly MovedTable[]) => tables.map(({ path }) => path).join(', ');

async function connect(connection: Connection) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000, keepAlive: true });
  // Without a listener, a lost connection ends the process; the next statement fails.
  client.on('error', () => {});
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

async function assertUsable(connection: Connection, log: Log): Promise<void> {
  await using database = createDatabase({ connection, log, max: 2 });
  const { version, schema, mayCreateTables } = await inspectDatabase(database);
  if (Number.parseInt(version, 10) < oldestPostgres)
    throw new Error(`DATABASE_URL is PostgreSQL ${version}: ${oldestPostgres} or later is needed`);
  if (!mayCreateTables)
    throw new Error(`the user of DATABASE_URL may not create tables in schema ${schema}: grant it CREATE`);
  const { own, queue } = await readSchemas(database);
  await using to = await connect(connection);
  const { rows } = await to.client.query<{ encoding: string; may: boolean; hasTables: boolean }>(
    `select current_setting('server_encoding') as encoding, to_regclass('kysely_migration') is not null as "hasTables",
       has_database_privilege(current_database(), 'CREATE') or to_regnamespace($1) is not null as may`,
    [queue],
  );
  if (rows[0]?.encoding !== 'UTF8')
    throw new Error(`the database of DATABASE_URL has the encoding ${rows[0]?.encoding}: create one with UTF8`);
  if (!rows[0].may)
    throw new Error(`the user of DATABASE_URL may not create the schema ${queue}: grant it CREATE on the database`);
  // Before anything is created in a database that is used.
  if (rows[0].hasTables) await assertEmpty(to.client, await listTables(to.client, { own, queue }));
}

/** Creates the tables of this version, those of the queue included. */
async function prepare(connection: Connection, { log, signal }: { log: Log; signal: AbortSignal }): Promise<Schemas> {
  await using database = createDatabase({ connection, log, max: 2 });
  await migrate(database, { log, signal });
  const schemas = await readSchemas(database);
  const queue = createQueue({ connection, schema: schemas.queue, log });
  try {
    await queue.start();
  } finally {
    await queue.stop();
  }
  return schemas;
}

interface Pair {
  source: MovedTable;
  target: MovedTable;
}

function pairTables(sources: readonly MovedTable[], targets: readonly MovedTable[]): Pair[] {
  return sources.map((source) => {
    const target = targets.find(({ schema, name }) => schema === source.schema && name === source.name);
    const isSame = target?.columns.toSorted().join() === source.columns.toSorted().join();
    if (!target || !isSame)
      throw new Error(`the table ${source.name} is not the same in both databases: move with the version that runs`);
    return { source, target };
  });
}

async function assertEmpty(client: Client, tables: readonly MovedTable[]): Promise<void> {
  // The rows of a queue are the same in each new database.
  for (const { path } of tables.filter(({ schema }) => schema === 'own')) {
    const { rowCount } = await client.query(`select from ${path} limit 1`);
    if (rowCount !== 0)
      throw new Error(`the database of DATABASE_URL is in use: ${path} has rows; create an empty database`);
  }
}

async function moveTable(
  connections: { from: Client; to: Client; signal: AbortSignal },
  { source, target }: Pair,
): Promise<{ name: string; rows: number }> {
  const { from, to, signal } = connections;
  const sent = await copyTable(connections, { source, target });
  const arrived = await readContent(to, target, { columns: source.columns, signal });
  if (arrived.rows !== sent.rows || arrived.sum !== sent.sum)
    throw new Error(`${target.path} differs from the source after the copy: ${arrived.rows} of ${sent.rows} rows`);
  for (const column of source.numbered) {
    const { rows } = await from.query<{ sequence: string }>('select pg_get_serial_sequence($1, $2) as sequence', [
      source.path,
      column,
    ]);
    const last = await from.query<{ value: string; called: boolean }>(
      `select last_value as value, is_called as called from ${rows[0]?.sequence}`,
    );
    await to.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      ...[target.path, column],
      ...[last.rows[0]?.value, last.rows[0]?.called],
    ]);
  }
  return { name: source.name, rows: sent.rows };
}

/** Equal for two tables with the same rows, in any order. */
interface TableContent {
  rows: number;
  /** The sum of a hash of each row. */
  sum: bigint;
}

/** So that the same row is the same text on every server. `local`: a pooler shares the session with others. */
const textSettings = `set local time zone 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'iso_8601';
  set local extra_float_digits to 1; set local bytea_output to 'hex';
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`;

/** Copies all rows, and returns what the source holds. */
async function copyTable(
  { from, to, signal }: { from: ClientBase; to: ClientBase; signal: AbortSignal },
  { source, target }: Pair,
): Promise<TableContent> {
  const columns = source.columns.map(escapeIdentifier).join(', ');
  const content = { rows: 0, sum: 0n };
  const count = new Transform({
    transform(row: Buffer, _encoding, done) {
      add(content, row);
      done(null, row);
    },
  });
  const write = writeCopy(to, `copy ${target.path} (${columns}) from stdin`);
  await pipeline(readCopy(from, toRead(source, columns)), count, write, { signal });
  return content;
}

async function readContent(
  client: ClientBase,
  table: MovedTable,
  { columns, signal }: { columns: readonly string[]; signal: AbortSignal },
): Promise<TableContent> {
  const content = { rows: 0, sum: 0n };
  const count = new Writable({
    write(row: Buffer, _encoding, done) {
      add(content, row);
      done();
    },
  });
  await pipeline(readCopy(client, toRead(table, columns.map(escapeIdentifier).join(', '))), count, { signal });
  return content;
}

// A partitioned table can only be read by a query.
const toRead = ({ path }: MovedTable, columns: string) => `copy (select ${columns} from ${path}) to stdout`;

function add(content: TableContent, row: Buffer): void {
  content.rows += 1;
  content.sum = BigInt.asUintN(64, content.sum + hash('sha256', row, 'buffer').readBigUInt64BE());
}
