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
