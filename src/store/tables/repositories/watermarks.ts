import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { agoMs } from '../../postgres/moments.ts';
import { findRow, hasRow } from '../rows.ts';

/** `overlapMs` before the watermark, at most `maxAgeMs` ago, by the database’s clock. */
export async function findWatermark(
  tx: Database,
  name: string,
  { overlapMs, maxAgeMs }: { overlapMs: number; maxAgeMs: number },
): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    select greatest(
      ${agoMs(maxAgeMs)}, (select moment from watermarks where name = ${name}) - ${overlapMs} * interval '1 millisecond'
    ) as since`.execute(tx);
  const [found] = rows;
  if (!found) throw new Error('the database returned no time');
  return found.since;
}

/** By the database’s clock. True without a watermark. */
export const isOverdue = async (tx: Database, name: string, { withinMs }: { withinMs: number }): Promise<boolean> =>
  !(await hasRow(tx, 'watermarks', { name }, sql`moment >= ${agoMs(withinMs)}`));

/** How far a list is read that begins with the newest: everything from `newest` down to `page` was read. */
interface ListPosition {
  newest: Date;
  page: string;
}

export async function findListPosition(tx: Database, name: string): Promise<ListPosition | undefined> {
  const found = await findRow(tx, 'watermarks', { name });
  return found?.page ? { newest: found.moment, page: found.page } : undefined;
}

export async function storeListPosition(tx: Database, name: string, { newest, page }: ListPosition): Promise<void> {
  const position = { moment: newest, page };
  await tx
    .insertInto('watermarks')
    .values({ name, ...position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(position))
    .execute();
}

export async function deleteListPosition(tx: Database, name: string): Promise<void> {
  await tx.deleteFrom('watermarks').where('name', '=', name).execute();
}

/** Default: now. Never lowers the watermark, nor raises it above the database’s clock. */
export async function raiseWatermark(tx: Database, name: string, moment?: Date): Promise<void> {
  await tx
    .insertInto('watermarks')
    .values({ name, moment: sql<Date>`least(${moment ?? null}::timestamptz, now())` })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ moment: sql<Date>`greatest(watermarks.moment, excluded.moment)` }),
    )
    .execute();
}
