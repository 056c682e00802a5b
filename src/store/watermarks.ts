import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Until when something that goes through the past has seen to everything; undefined: it never did. */
export async function findWatermark(tx: Kysely<Tables>, name: string): Promise<Date | undefined> {
  const found = await tx.selectFrom('watermarks').select('moment').where('name', '=', name).executeTakeFirst();
  return found?.moment;
}

/** Never goes back. */
export async function raiseWatermark(tx: Kysely<Tables>, name: string, moment: Date): Promise<void> {
  await tx
    .insertInto('watermarks')
    .values({ name, moment })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ moment: sql<Date>`greatest(watermarks.moment, excluded.moment)` }),
    )
    .execute();
}
