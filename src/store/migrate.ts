import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import type { Database } from './postgres/database.ts';

const migrateRetryMs = 200;

/** No transaction of the previous version lives longer than half of this. */
const migrateForMs = 60_000;

const folder = join(import.meta.dirname, 'migrations');

/** By the names of their files, in order. A migration only adds, unless its name ends in `-contract`: docs/decisions/0013-expand-then-contract.md */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  readdirSync(folder)
    .toSorted()
    .map((file) => [basename(file, '.sql'), { up: (database) => runFile(join(folder, file), database) }]),
);

/** An empty line follows each statement and stands nowhere else. */
async function runFile(path: string, database: Kysely<unknown>): Promise<void> {
  const text = await readFile(path, 'utf8');
  for (const statement of text.split(';\n\n')) await sql.raw(statement).execute(database);
}

/**
 * Safe to call in many processes at once, also while the previous version runs: its statements come first. Accepts a database that a later
 * version has migrated, unless a `-contract` removed something: then it throws.
 */
export async function migrate(
  database: Database,
  { log, signal = new AbortController().signal }: { log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  const { own: schema } = await readSchemas(database);
  for (const deadline = performance.now() + migrateForMs; ; ) {
    const later = await listLaterMigrations(database, schema);
    assertNothingRemoved(later);
    const error = await runMigrations(database, later, schema);
    if (!error) {
      if (later.length > 0) log?.info({ later }, 'a later version has migrated the database');
      return;
    }
    // A process of a later version migrated in between.
    if ((await listLaterMigrations(database, schema)).length > later.length) continue;
    if (!isLockConflict(error) || performance.now() > deadline)
      throw new Error('could not migrate the database', { cause: error });
    await pause(migrateRetryMs, signal);
  }
}

async function runMigrations(database: Database, later: readonly string[], schema: string): Promise<unknown> {
  // Kysely rejects executed migrations that it does not know.
  const executed = later.map((name): [string, Migration] => [name, { up: async () => {} }]);
  const provider = { getMigrations: async () => ({ ...migrations, ...Object.fromEntries(executed) }) };
  // Without it, Kysely takes the tables of any schema for its own.
  const { error } = await new Migrator({ db: database, provider, migrationTableSchema: schema }).migrateToLatest();
  return error;
}

async function listLaterMigrations(database: Database, schema: string): Promise<string[]> {
  const table = sql.id(schema, 'kysely_migration');
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as "isThere"`.execute(database);
  if (!rows[0]?.isThere) return [];
  const { rows: executed } = await sql<{ name: string }>`select name from ${table} order by name`.execute(database);
  return executed.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}

function assertNothingRemoved(later: readonly string[]): void {
  const contracted = later.filter((name) => name.endsWith('-contract'));
  if (contracted.length === 0) return;
  throw new Error(
    `this version is too old for the database, because ${contracted.join(', ')} removed what it may need: ` +
      'start that version or a later one, or restore the backup from before the migration',
  );
}

/** lock_not_available, deadlock_detected: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isLockConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');

/** The schema of the service's tables, and that of pg-boss's. */
export interface Schemas {
  own: string;
  queue: string;
}

/** pg-boss takes up to 50 bytes, and the name of the queue's schema is longer by seven. */
const usable = /^[a-z_][a-z0-9_]{0,42}$/;

/**
 * The tables are in the first schema of the connection's `search_path`, so that two installations may share a database. Throws if that
 * schema is missing or its name cannot be used, or if the tables are in a later one: they would be created a second time.
 */
export async function readSchemas(database: Database): Promise<Schemas> {
  const { rows } = await sql<{ own: string | null; searchPath: string; found: string | null }>`
    select current_schema() as own, current_setting('search_path') as "searchPath",
      (select nspname from pg_namespace join pg_class on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')) as found`.execute(database);
  const { own, searchPath, found } = rows[0] ?? { own: null, searchPath: '', found: null };
  if (own === null) throw new Error(`no schema of search_path (${searchPath}) exists: create it, then start again`);
  if (found !== null && found !== own) {
    throw new Error(
      `the tables are in schema ${found}, but search_path (${searchPath}) puts schema ${own} first: ` +
        `set search_path to ${found} to use them, or to ${own} alone for an installation of its own`,
    );
  }
  if (!usable.test(own)) {
    throw new Error(
      `schema ${own} cannot be used: its name needs lower-case letters, digits and underscores, at most 43`,
    );
  }
  return { own, queue: own === 'public' ? 'pgboss' : `${own}_pgboss` };
}
