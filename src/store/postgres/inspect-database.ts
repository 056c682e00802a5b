import { sql } from 'kysely';
import { z } from 'zod';
import { isDatabaseDiskFull } from './availability.ts';
import type { Database } from './database.ts';

const factsSchema = z.object({
  version: z.string(),
  schema: z.string(),
  mayCreateTables: z.boolean(),
  mayCreateSchemas: z.boolean(),
  now: z.date(),
});

/** Needs a pool of two connections. Keeps nothing. */
export async function inspectDatabase(database: Database) {
  const { rows } = await sql`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_schema() as schema,
      has_schema_privilege(current_schema(), 'CREATE') as "mayCreateTables",
      has_database_privilege(current_database(), 'CREATE') as "mayCreateSchemas",
      clock_timestamp() as now`.execute(database);
  return {
    ...factsSchema.parse(rows[0]),
    isTransactionPooled: await hasTransactionPooler(database),
    hasRoom: await hasDatabaseRoom(database),
    closedContext: await listClosedContext(database),
  };
}

const closedSchema = z.array(z.object({ documentation: z.string(), problem: z.string() }));

/** Context repositories that are not read, as they were found last. None in a database that is not migrated yet. */
async function listClosedContext(database: Database) {
  const { rows: found } = await sql<{ isThere: boolean }>`
    select to_regclass('context_repositories') is not null as "isThere"`.execute(database);
  if (!found[0]?.isThere) return [];
  const { rows } = await sql`
    select projects.owner || '/' || projects.repo as documentation, problem
    from context_repositories join projects using (project_id)
    where problem is not null and removed_at is null
    order by documentation, name limit 100`.execute(database);
  return closedSchema.parse(rows);
}

/** Whether a megabyte fits on the database's disk. True if this user may not try. */
export async function hasDatabaseRoom(database: Database): Promise<boolean> {
  try {
    return await database.transaction().execute(async (tx) => {
      const { rows } = await sql<{ mayTry: boolean }>`
        select has_database_privilege(current_database(), 'TEMPORARY') as "mayTry"`.execute(tx);
      if (rows[0]?.mayTry)
        await sql`create temporary table pagewright_room on commit drop as
          select repeat('x', 1000) from generate_series(1, 1000)`.execute(tx);
      return true;
    });
  } catch (error) {
    if (isDatabaseDiskFull(error)) return false;
    throw error;
  }
}

/** A pooler in transaction mode gives an idle connection another server process while the first one is in a transaction. */
async function hasTransactionPooler(database: Database): Promise<boolean> {
  return database.connection().execute(async (first) => {
    const before = await readProcess(first);
    return database.transaction().execute(async (other) => {
      await readProcess(other);
      return (await readProcess(first)) !== before;
    });
  });
}

async function readProcess(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return rows[0]?.pid ?? 0;
}
