import { sql } from 'kysely';
import type { Database } from '../../../src/store/postgres/database.ts';

export interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  default: string | null;
}

/** A check, foreign key, or unique index (a primary key is one), as PostgreSQL writes it. */
export interface Rule {
  table: string;
  kind: 'check' | 'foreign key' | 'unique';
  columns: string[];
  text: string;
  /** The table of a foreign key. */
  references: string | null;
}

export interface Schema {
  columns: Column[];
  rules: Rule[];
}

/** Everything in our tables that can make a statement fail. */
export async function readSchema(database: Database): Promise<Schema> {
  const own = sql`c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'`;
  const { rows: columns } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
      coalesce(pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity::text, '')) as default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${own} and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`.execute(database);
  const { rows: rules } = await sql<Rule>`
    select c.relname as table, case r.contype when 'c' then 'check' else 'foreign key' end as kind,
      replace(pg_get_constraintdef(r.oid), ' NOT VALID', '') as text, nullif(r.confrelid, 0)::regclass::text as references,
      (select json_agg(attname) from pg_attribute where attrelid = c.oid and attnum = any(r.conkey)) as columns
    from pg_constraint r join pg_class c on c.oid = r.conrelid where ${own} and r.contype in ('c', 'f')
    union all
    select c.relname, 'unique', substring(pg_get_indexdef(i.indexrelid) from ' USING .*'), null,
      (select json_agg(attname) from pg_attribute where attrelid = c.oid and attnum = any(i.indkey))
    from pg_index i join pg_class c on c.oid = i.indrelid where ${own} and i.indisunique`
    .$castTo<Rule>()
    .execute(database);
  return { columns, rules: rules.map((rule) => ({ ...rule, columns: rule.columns ?? [] })) };
}
