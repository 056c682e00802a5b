import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from './schema.ts';

export type Effect = Row<'effects'>;

export interface NewEffect {
  jobId: string;
  /** Unique in its job, and the same for every attempt at the same thing: `run_…:push`. */
  key: string;
  runId: string;
  epoch: number;
  /** What will be sent, as far as it is worth telling afterwards. Holds no secret. */
  request: object;
}

/** Records that something is about to be done to the outside world. `isNew`: nobody can have done it yet. */
export async function intendEffect(tx: Kysely<Tables>, effect: NewEffect): Promise<{ effect: Effect; isNew: boolean }> {
  const request = JSON.stringify(effect.request);
  const inserted = await tx
    .insertInto('effects')
    .values({
      job_id: effect.jobId,
      key: effect.key,
      run_id: effect.runId,
      epoch: effect.epoch,
      state: 'intended',
      request,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { effect: inserted, isNew: true };
  const known = await tx
    .updateTable('effects')
    .set({ epoch: effect.epoch, request: sql`case when state = 'done' then request else ${request}::json end` })
    .where('job_id', '=', effect.jobId)
    .where('key', '=', effect.key)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { effect: known, isNew: false };
}

export async function markEffectDone(
  tx: Kysely<Tables>,
  { jobId, key, response, externalId }: { jobId: string; key: string; response: object; externalId: string },
): Promise<void> {
  await tx
    .updateTable('effects')
    .set({ state: 'done', response: JSON.stringify(response), external_id: externalId, done_at: sql`now()` })
    .where('job_id', '=', jobId)
    .where('key', '=', key)
    .execute();
}

/** In the order in which they were intended. */
export function listEffects(tx: Kysely<Tables>, jobId: string): Promise<Effect[]> {
  return tx.selectFrom('effects').selectAll().where('job_id', '=', jobId).orderBy('intended_at').execute();
}
