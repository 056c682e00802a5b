import { type Kysely, sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import { type Block, blockLeftMs, createBlock } from '../tables/installations.ts';
import type { Tables } from '../tables/schema.ts';

/** Writes that may follow one another at once after a pause of as many seconds: enough for a run without its replies. */
export const writeBurst = 6;

export interface WriteSlot {
  waitMs: number;
  /** Whether the slot is reserved. */
  isTaken: boolean;
  block: Block | undefined;
}

/**
 * Reserves the next slot for a write of this installation, over all processes, by the database’s clock; none if it is more than
 * `patienceMs` away or the installation is blocked. A reserved slot that is not used passes. An unknown installation may write at once.
 *
 * This is the generic cell rate algorithm, as virtual scheduling: ITU-T Recommendation I.371, Annex A
 * (https://www.itu.int/rec/T-REC-I.371), explained at https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm. `writes_until` is its
 * theoretical arrival time, when the bucket is full again; each write delays it by one interval, and may be sent one burst earlier.
 */
export async function takeWriteSlot(
  database: Kysely<Tables>,
  installationId: number,
  { patienceMs, everyMs = realTiming.writes.everyMs }: { patienceMs: number; everyMs?: number },
): Promise<WriteSlot> {
  const { rows } = await sql<{ waitMs: number; isTaken: boolean; leftMs: number | null }>`
    with bucket as (
      select blocked_until, greatest(writes_until, clock_timestamp()) + ${everyMs} * interval '1 millisecond' as full_at
      from installations where installation_id = ${installationId} for no key update
    ),
    slot as (
      select full_at, ${blockLeftMs} as left_ms,
        greatest(0, 1000 * extract(epoch from full_at - clock_timestamp())::float8 - ${writeBurst * everyMs}::float8) as wait_ms
      from bucket
    ),
    taken as (
      update installations set writes_until = full_at from slot
      where installation_id = ${installationId} and coalesce(left_ms <= 0, true) and wait_ms <= ${patienceMs}
      returning installation_id
    )
    select wait_ms as "waitMs", left_ms as "leftMs",
      exists (select from taken) as "isTaken" from slot`.execute(database);
  const [found] = rows;
  if (!found) return { waitMs: 0, isTaken: true, block: undefined };
  const { waitMs, isTaken, leftMs } = found;
  return { waitMs: Math.ceil(waitMs), isTaken, block: createBlock(leftMs) };
}
