import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { ColumnChange, Row, Tables } from './schema.ts';

/** Columns and the values that they have; null is one, too. */
type Key<Name extends keyof Tables> = Partial<Row<Name>>;

/** What else is so of the rows. */
type Condition = RawBuilder<unknown>;

const everyRow: Condition = sql`true`;

export async function findRow<Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
  and = everyRow,
): Promise<Row<Name> | undefined> {
  const { rows } = await sql<Row<Name>>`select * from ${sql.table(table)} where ${matches(key)} and ${and}`.execute(tx);
  return rows[0];
}

/** Locks it until the commit. */
export const lockRow = <Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
): Promise<Row<Name> | undefined> => findRow(tx, table, key, sql`true for update`);

export async function hasRow<Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
  and = everyRow,
): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where ${matches(key)} and ${and} limit 1`.execute(tx);
  return rows.length > 0;
}

/** In the order of the columns `by`. */
export async function listRows<Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
  { by, and = everyRow }: { by: readonly (keyof Row<Name> & string)[]; and?: Condition },
): Promise<Row<Name>[]> {
  const order = sql.join(by.map((column) => sql.ref(column)));
  const { rows } = await sql<Row<Name>>`
    select * from ${sql.table(table)} where ${matches(key)} and ${and} order by ${order}`.execute(tx);
  return rows;
}

/** Returns how many rows it changed. */
export async function changeRows<Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
  change: ColumnChange<Name>,
  and = everyRow,
): Promise<number> {
  const { numAffectedRows } = await update(table, key, change, and).execute(tx);
  return Number(numAffectedRows);
}

/** Returns the changed row. */
export async function changeRow<Name extends keyof Tables>(
  tx: Database,
  table: Name,
  key: Key<Name>,
  change: ColumnChange<Name>,
  and = everyRow,
): Promise<Row<Name> | undefined> {
  const { rows } = await sql<Row<Name>>`${update(table, key, change, and)} returning *`.execute(tx);
  return rows[0];
}

const update = <Name extends keyof Tables>(table: Name, key: Key<Name>, change: ColumnChange<Name>, and: Condition) =>
  sql`update ${sql.table(table)} set ${sql.join(assign(change))} where ${matches(key)} and ${and}`;

const assign = (change: object) =>
  Object.entries(change).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  );

const matches = (key: object) =>
  sql.join(
    Object.entries(key).map(([column, value]) =>
      value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
    ),
    sql` and `,
  );
