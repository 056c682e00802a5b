import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { Asker } from '../columns.ts';
import type { Row } from '../schema.ts';

export type Effect = Row<'effects'>;

/** Epoch of effects that the queue carries out, outside of a lease. */
export const queueEpoch = 0;

/** The same expression as in the index `effects_promised`. */
export const isPendingAnswer = sql<boolean>`(state = 'intended' and epoch = ${sql.lit(queueEpoch)})`;

interface NewEffect {
  jobId: string;
  /** Unique in its job, the same for every attempt: `run_…:push`. */
  key: string;
  runId?: string;
  messageId?: string;
  asker?: Asker;
  epoch: number;
  /** Contains no secret. */
  request: object;
}

/** `isNew`: no process can have carried out the effect yet. */
export async function intendEffect(tx: Database, effect: NewEffect): Promise<{ effect: Effect; isNew: boolean }> {
  const request = JSON.stringify(effect.request);
  // A lease holder carries it out now; the queue later.
  const isTry = effect.epoch !== queueEpoch;
  const inserted = await tx
    .insertInto('effects')
    .values({
      job_id: effect.jobId,
      key: effect.key,
      run_id: effect.runId ?? null,
      message_id: effect.messageId ?? null,
      asker: effect.asker ? JSON.stringify(effect.asker) : null,
      epoch: effect.epoch,
      state: 'intended',
      tries: isTry ? 1 : 0,
      request,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { effect: inserted, isNew: true };
  const updated = await tx
    .updateTable('effects')
    .set({
      epoch: effect.epoch,
      request: sql`case when state <> 'intended' then request else ${request}::json end`,
      message_id: sql`coalesce(message_id, ${effect.messageId ?? null})`,
      tries: sql`case when state = 'intended' and ${isTry} then tries + 1 else tries end`,
    })
    .where(({ and }) => and({ job_id: effect.jobId, key: effect.key }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { effect: updated, isNew: false };
}

export async function markEffectDone(
  tx: Database,
  { jobId, key, response, externalId }: { jobId: string; key: string; response: object; externalId: string },
): Promise<void> {
  await tx
    .updateTable('effects')
    .set({ state: 'done', response: JSON.stringify(response), external_id: externalId, done_at: sql`now()` })
    .where(({ and }) => and({ job_id: jobId, key }))
    // Two posts at once leave the older one: the later is deleted, so the first record stays.
    .where('state', '<>', 'done')
    .execute();
}

/** An effect that is done stays done. */
export async function markEffectRefused(
  tx: Database,
  { jobId, key, reason }: { jobId: string; key: string; reason: string },
): Promise<void> {
  await tx
    .updateTable('effects')
    .set({ state: 'refused', response: JSON.stringify({ refused: reason }), done_at: sql`now()` })
    .where(({ and }) => and({ job_id: jobId, key }))
    .where('state', '<>', 'done')
    .execute();
}

export function findEffect(tx: Database, { jobId, key }: { jobId: string; key: string }): Promise<Effect | undefined> {
  return tx.selectFrom('effects').selectAll().where('job_id', '=', jobId).where('key', '=', key).executeTakeFirst();
}

/** Undefined: the effect is no longer intended. */
export function countEffectTry(
  tx: Database,
  { jobId, key }: { jobId: string; key: string },
): Promise<Effect | undefined> {
  return tx
    .updateTable('effects')
    .set({ tries: sql`tries + 1` })
    .where(({ and }) => and({ job_id: jobId, key, state: 'intended' }))
    .returningAll()
    .executeTakeFirst();
}

export function listEffects(tx: Database, jobId: string): Promise<Effect[]> {
  return tx.selectFrom('effects').selectAll().where('job_id', '=', jobId).orderBy('intended_at').execute();
}

/** `push`, `branch`, `draft`, `pull-request`, `labels`, `reviewers`, `reviewer`, or the kind of an answer. */
export function effectKind({ key, request }: { key: string; request: object }): string {
  if ('kind' in request && typeof request.kind === 'string') return request.kind;
  const [, kind = key] = key.split(':');
  return kind;
}

/** Counting stops after ten minutes' worth of writes. */
const maxAhead = 600;

/** `ahead`: answers that were requested earlier, at most 600. Undefined: the answer is not pending. */
export async function findQueuePosition(
  tx: Database,
  { jobId, key }: { jobId: string; key: string },
  installationId: number,
): Promise<{ ahead: number; ageMs: number } | undefined> {
  const { rows } = await sql<{ ahead: number; ageMs: number }>`
    select (extract(epoch from now() - own.intended_at) * 1000)::float8 as "ageMs", (
      select count(*) from (
        select from effects other join jobs using (job_id) join projects using (project_id)
        where ${isPendingAnswer} and installation_id = ${installationId}
          and (other.intended_at, other.job_id, other.key) < (own.intended_at, own.job_id, own.key)
        limit ${maxAhead}
      ) ahead
    ) as ahead
    from effects own where own.state = 'intended' and own.job_id = ${jobId} and own.key = ${key}`.execute(tx);
  return rows[0];
}
