import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Until when something that goes through the past has seen to everything; undefined: it never did. */
export async function findWatermark(tx: Kysely<Tables>, name: string): Promise<Date | undefined> {
  const found = await tx.selectFrom('watermarks').select('moment').where('name', '=', name).executeTakeFirst();
  return found?.moment;
}

/** Whether it never did, or not up to `withinMs` ago. */
export async function isBehind(tx: Kysely<Tables>, name: string, { withinMs }: { withinMs: number }): Promise<boolean> {
  const moment = await findWatermark(tx, name);
  return moment === undefined || Date.now() - moment.getTime() > withinMs;
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
