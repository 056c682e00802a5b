import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from './database.ts';

const rowSchema = z.object({
  version: z.string(),
  schema: z.string(),
  tables: z.boolean(),
  schemas: z.boolean(),
  now: z.date(),
});

/** Needs a pool of two connections. Writes nothing. */
export async function inspectDatabase(database: Database) {
  const { rows } = await sql`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_schema() as schema,
      has_schema_privilege(current_schema(), 'CREATE') as tables,
      has_database_privilege(current_database(), 'CREATE') as schemas, clock_timestamp() as now`.execute(database);
  const { version, schema, tables, schemas, now } = rowSchema.parse(rows[0]);
  const isTransactionPooled = await hasSessionsOfItsOwn(database).then((isOwn) => !isOwn);
  return { version, schema, mayCreateTables: tables, mayCreateSchemas: schemas, isTransactionPooled, now };
}

/** Whether a connection keeps its server process while another one is in a transaction. A pooler in transaction mode gives away the first one's. */
async function hasSessionsOfItsOwn(database: Database): Promise<boolean> {
  return database.connection().execute(async (first) => {
    const before = await readProcess(first);
    return database.transaction().execute(async (other) => {
      await readProcess(other);
      return (await readProcess(first)) === before;
    });
  });
}

async function readProcess(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return rows[0]?.pid ?? 0;
}
