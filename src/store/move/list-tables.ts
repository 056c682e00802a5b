import type { ClientBase } from 'pg';
import { z } from 'zod';
import type { Schemas } from '../migrate.ts';

/** What Kysely and pg-boss keep about this database, and statistics. */
const leftOut = {
  own: ['kysely_migration', 'kysely_migration_lock'],
  queue: ['version', 'bam', 'warning', 'queue_stats'],
};

const tableSchema = z.object({
  schema: z.enum(['own', 'queue']),
  name: z.string(),
  /** As a statement names it. */
  path: z.string(),
  columns: z.array(z.string()),
  references: z.array(z.string()),
  /** Columns whose values come from a sequence. */
  numbered: z.array(z.string()),
});

/** A table with what it refers to. A partitioned one counts once. */
export type MovedTable = z.infer<typeof tableSchema>;

/** The tables that hold rows of the service, each after those it refers to. */
export async function listTables(client: ClientBase, schemas: Schemas): Promise<MovedTable[]> {
  const { rows } = await client.query(
    `select case nspname when $2 then 'own' else 'queue' end as schema, relname as name, format('%I.%I', nspname, relname) as path,
       array(select attname::text from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select format('%I.%I', target_schema.nspname, target.relname) from pg_constraint
         join pg_class target on target.oid = confrelid
         join pg_namespace target_schema on target_schema.oid = target.relnamespace
         where contype = 'f' and confrelid <> pg_class.oid
           and coalesce(pg_partition_root(conrelid), conrelid) = pg_class.oid) as references,
       array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped
         and pg_get_serial_sequence(format('%I.%I', nspname, relname), attname) is not null) as numbered
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = any($1) and relkind in ('r', 'p') and not relispartition
     order by nspname, relname`,
    [[schemas.own, schemas.queue], schemas.own],
  );
  const tables = z.array(tableSchema).parse(rows);
  return sortByReferences(tables.filter(({ schema, name }) => !leftOut[schema].includes(name)));
}

function sortByReferences(tables: readonly MovedTable[]): MovedTable[] {
  const sorted: MovedTable[] = [];
  const waiting = new Map(tables.map((table) => [table.path, table]));
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ references }) => !references.some((path) => waiting.has(path)));
    if (!next) throw new Error(`tables refer to one another in a circle: ${[...waiting.keys()].join(', ')}`);
    waiting.delete(next.path);
    sorted.push(next);
  }
  return sorted;
}
