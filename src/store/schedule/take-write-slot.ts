import { sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';
import { type Block, blockLeftMs, createBlock } from '../tables/repositories/installations.ts';

/** Writes without a pause after as many idle seconds: enough for a run without its replies. */
export const writeBurst = 6;

/**
 * Takes no slot beyond `patienceMs` or during a block. An unused slot passes. An unknown installation may write at once. Generic cell rate
 * algorithm, virtual scheduling (ITU-T I.371, Annex A): https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm. `writes_until` is its
 * theoretical arrival time: when the bucket is full again.
 */
export async function takeWriteSlot(
  database: Database,
  installationId: number,
  { patienceMs, everyMs = realTiming.writes.everyMs }: { patienceMs: number; everyMs?: number },
): Promise<{ waitMs: number; isTaken: boolean; block: Block | undefined }> {
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
