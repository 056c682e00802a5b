import type { Database } from '../../src/store/postgres/database.ts';

/** Until when something that goes through the past has seen to everything; undefined: it never did. */
export async function findWatermark(database: Database, name: string): Promise<Date | undefined> {
  const found = await database.selectFrom('watermarks').select('moment').where('name', '=', name).executeTakeFirst();
  return found?.moment;
}
