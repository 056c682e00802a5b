import { type Kysely, sql } from 'kysely';
import { isPromised } from '../tables/effects.ts';
import type { Tables } from '../tables/schema.ts';
import type { AnswerEntry } from './queue.ts';

interface PlaceInLine {
  /** How many are before it. */
  ahead: number;
  /** For how long it has been promised. */
  ageMs: number;
}

/** More than this many ahead of it are no more. */
const maxAhead = 600;

/**
 * Where a promised answer stands among all that wait in this installation: how many were promised before it, up to ten minutes' worth of
 * writes. Undefined: it does not wait any more.
 */
export async function findPlaceInLine(
  tx: Kysely<Tables>,
  { jobId, key }: AnswerEntry,
  installationId: number,
): Promise<PlaceInLine | undefined> {
  const { rows } = await sql<PlaceInLine>`
    select (extract(epoch from now() - own.intended_at) * 1000)::float8 as "ageMs", (
      select count(*) from (
        select from effects other join jobs using (job_id) join projects using (project_id)
        where ${isPromised} and installation_id = ${installationId}
          and (other.intended_at, other.job_id, other.key) < (own.intended_at, own.job_id, own.key)
        limit ${maxAhead}
      ) ahead
    ) as ahead
    from effects own where own.state = 'intended' and own.job_id = ${jobId} and own.key = ${key}`.execute(tx);
  return rows[0];
}
