import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/schema.ts';

/** The moment by the database's clock, which all processes share. To the millisecond, and never ahead of it. */
export async function readClock(tx: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ moment: Date }>`select clock_timestamp() as moment`.execute(tx);
  const [found] = rows;
  if (!found) throw new Error('the database told no time');
  return found.moment;
}
