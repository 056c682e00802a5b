import { type RawBuilder, sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';
import { type EffectKey, isPendingAnswer } from '../tables/jobs/effects.ts';

/** All retries of an entry end before, unless it waits for an outage to end. */
const longestTriesMs = 2 * 3600_000;

const interval = (ms: number) => sql`${ms} * interval '1 millisecond'`;
export const entryLifetime = interval(realTiming.queue.entryLifetimeMs);
const longestTries = interval(longestTriesMs);

/** Lost its queue entry: a process died, or the database failed, at the end of the last try. */
interface Unqueued {
  isTooOld: boolean;
}

export interface Stored {
  database: Database;
  queue: { schema: string };
}

/** No entry of the queue works on a row, or will soon. `key`: the fields of the entry, with what the row has there. */
export const isUnqueued = (
  queue: Stored['queue'],
  name: string,
  key: Record<string, RawBuilder<unknown>>,
) => sql<boolean>`
  not exists (
    select from ${sql.id(queue.schema, 'job')} entry
    where entry.name = ${name} and ${isLive} and ${sql.join(
      Object.entries(key).map(([field, value]) => sql`data->>${sql.lit(field)} = ${value}`),
      sql` and `,
    )}
  )`;

export async function listUnqueuedDeliveries(options: Stored): Promise<(Unqueued & { deliveryId: string })[]> {
  const { database, queue } = options;
  const { rows } = await sql<Unqueued & { deliveryId: string }>`
    select delivery_id as "deliveryId", received_at < now() - ${entryLifetime} as "isTooOld" from deliveries
    where state = 'stored' and received_at < now() - ${longestTries}
      and ${isUnqueued(queue, 'delivery', { deliveryId: sql`delivery_id` })}
    order by received_at limit ${atOnce}`.execute(database);
  return rows;
}

export async function listUnqueuedAnswers({ database, queue }: Stored): Promise<(Unqueued & EffectKey)[]> {
  const { rows } = await sql<Unqueued & EffectKey>`
    select job_id as "jobId", key, intended_at < now() - ${entryLifetime} as "isTooOld" from effects
    where ${isPendingAnswer} and intended_at < now() - ${longestTries}
      and ${isUnqueued(queue, 'answer', { jobId: sql`job_id`, key: sql`effects.key` })}
    order by intended_at limit ${atOnce}`.execute(database);
  return rows;
}

const atOnce = 500;

/** pg-boss orders its states: created, retry, active, then the ended ones. */
const isLive = sql<boolean>`entry.state < 'completed'`;
