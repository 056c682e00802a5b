import { sql } from 'kysely';
import type { Database } from './database.ts';

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
