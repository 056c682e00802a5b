import type { Database } from '../../../src/store/postgres/database.ts';

/** The time up to which a reconciliation has finished; undefined: it never ran. */
export async function findWatermark(database: Database, name: string): Promise<Date | undefined> {
  const found = await database.selectFrom('watermarks').select('moment').where('name', '=', name).executeTakeFirst();
  return found?.moment;
}
