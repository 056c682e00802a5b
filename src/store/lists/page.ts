import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

/** Rows after `after`, in the order of the list; the last one read is the position of the next page. */
export interface PageRequest<Position> {
  /** 1 or more. */
  limit: number;
  after?: Position | undefined;
}

export interface ListPage<Item, Position> {
  items: Item[];
  /** null: these are the last items. */
  next: Position | null;
}

/** How many rows to read, so that it is known whether more follow. */
export const rowsToRead = ({ limit }: PageRequest<unknown>) => limit + 1;

/** For a list that begins with the highest value of the column. Its statement ends with a condition. */
export async function readListPage<Item, Position extends string | number>(
  database: Database,
  list: RawBuilder<Item>,
  column: keyof Item & string,
  page: PageRequest<Position>,
  positionOf: (item: Item) => Position,
): Promise<ListPage<Item, Position>> {
  const { rows } = await sql<Item>`${list}
    ${page.after === undefined ? sql`` : sql`and ${sql.ref(column)} < ${page.after}`}
    order by ${sql.ref(column)} desc limit ${rowsToRead(page)}`.execute(database);
  return cutPage(rows, page, positionOf);
}

/** Cuts the row too many, in the order of the list. */
export function cutPage<Item, Position>(
  rows: readonly Item[],
  { limit }: PageRequest<Position>,
  positionOf: (item: Item) => Position,
): ListPage<Item, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? positionOf(last) : null };
}
