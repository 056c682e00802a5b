import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Counts one more request to deliver this again; returns how many there were. */
export async function countRedelivery(tx: Kysely<Tables>, deliveryId: string): Promise<number> {
  const { tries } = await tx
    .insertInto('redeliveries')
    .values({ delivery_id: deliveryId, tries: 1, asked_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict.column('delivery_id').doUpdateSet({ tries: sql`redeliveries.tries + 1`, asked_at: sql<Date>`now()` }),
    )
    .returning('tries')
    .executeTakeFirstOrThrow();
  return tries;
}

/** Forgets what GitHub can no longer deliver. */
export async function sweepRedeliveries(tx: Kysely<Tables>): Promise<void> {
  await tx.deleteFrom('redeliveries').where('asked_at', '<', sql<Date>`now() - interval '7 days'`).execute();
}
