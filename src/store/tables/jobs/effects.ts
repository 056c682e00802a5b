import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import type { Asker } from '../columns.ts';
import { changeRow, changeRows, findRow, listRows } from '../rows.ts';
import type { Row } from '../schema.ts';

export type Effect = Row<'effects'>;

/** Epoch of effects that the queue carries out, outside of a lease. */
export const queueEpoch = 0;

/** The same expression as in the index `effects_promised`. */
export const isPendingAnswer = sql<boolean>`(state = 'intended' and epoch = ${sql.lit(queueEpoch)})`;

export interface EffectKey {
  jobId: string;
  /** Unique in its job, the same for every attempt: `run_…:push`. */
  key: string;
}

const toKey = ({ jobId, key }: EffectKey) => ({ job_id: jobId, key });

interface NewEffect extends EffectKey {
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
      ...toKey(effect),
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
  const updated = await changeRow(tx, 'effects', toKey(effect), {
    epoch: effect.epoch,
    request: sql`case when state <> 'intended' then request else ${request}::json end`,
    message_id: sql`coalesce(message_id, ${effect.messageId ?? null})`,
    tries: sql`case when state = 'intended' and ${isTry} then tries + 1 else tries end`,
  });
  if (!updated) throw new Error(`effect ${effect.key} of ${effect.jobId} is gone`);
  return { effect: updated, isNew: false };
}

export async function markEffectDone(
  tx: Database,
  { response, externalId, ...key }: EffectKey & { response: object; externalId: string },
): Promise<void> {
  const done = { state: 'done', response: JSON.stringify(response), external_id: externalId, done_at: now } as const;
  // Two posts at once leave the older one: the later is deleted, so the first record stays.
  await changeRows(tx, 'effects', toKey(key), done, isNotDone);
}

/** An effect that is done stays done. */
export async function markEffectRefused(
  tx: Database,
  { reason, ...key }: EffectKey & { reason: string },
): Promise<void> {
  const refused = { state: 'refused', response: JSON.stringify({ refused: reason }), done_at: now } as const;
  await changeRows(tx, 'effects', toKey(key), refused, isNotDone);
}

const isNotDone = sql`state <> 'done'`;

export const findEffect = (tx: Database, key: EffectKey): Promise<Effect | undefined> =>
  findRow(tx, 'effects', toKey(key));

/** Undefined: the effect is no longer intended. */
export const countEffectTry = (tx: Database, key: EffectKey): Promise<Effect | undefined> =>
  changeRow(tx, 'effects', { ...toKey(key), state: 'intended' }, { tries: sql`tries + 1` });

export const listEffects = (tx: Database, jobId: string): Promise<Effect[]> =>
  listRows(tx, 'effects', { job_id: jobId }, { by: ['intended_at'] });

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
  { jobId, key }: EffectKey,
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
