import { type Kysely, sql } from 'kysely';
import { typeid } from 'typeid-js';
import { realTiming } from '../../timing.ts';
import type { ColumnChange, Row, Tables } from './schema.ts';

export type Run = Row<'runs'>;

/** The run of the job that is not ended, if there is one; there is never a second. */
export function findOpenRun(tx: Kysely<Tables>, jobId: string): Promise<Run | undefined> {
  return tx.selectFrom('runs').selectAll().where('job_id', '=', jobId).where('phase', '<>', 'ended').executeTakeFirst();
}

export function findRun(tx: Kysely<Tables>, runId: string): Promise<Run | undefined> {
  return tx.selectFrom('runs').selectAll().where('run_id', '=', runId).executeTakeFirst();
}

/** Starts the next run of the job, numbered from 1. */
export function insertRun(tx: Kysely<Tables>, jobId: string): Promise<Run> {
  return tx
    .insertInto('runs')
    .values({
      run_id: typeid('run').toString(),
      job_id: jobId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from runs where job_id = ${jobId})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateRun(tx: Kysely<Tables>, runId: string, change: ColumnChange<'runs'>): Promise<Run> {
  return tx.updateTable('runs').set(change).where('run_id', '=', runId).returningAll().executeTakeFirstOrThrow();
}

/** Adds a sentence about something that did not work out though the run did; one that is there already is not added again. */
export async function addRunWarning(tx: Kysely<Tables>, runId: string, warning: string): Promise<void> {
  const { warnings } = await tx
    .selectFrom('runs')
    .select('warnings')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  if (warnings.includes(warning)) return;
  await updateRun(tx, runId, { warnings: JSON.stringify([...warnings, warning]) });
}

/** Adds to what the run has used: milliseconds of activity, and the tokens of a new answer, which is progress. */
export async function countRunActivity(
  tx: Kysely<Tables>,
  runId: string,
  { activeMs, answer }: { activeMs: number; answer?: { tokensIn: number; tokensOut: number } },
): Promise<void> {
  await updateRun(tx, runId, {
    active_ms: sql`active_ms + ${activeMs}`,
    ...(answer && {
      tokens_in: sql`tokens_in + ${answer.tokensIn}`,
      tokens_out: sql`tokens_out + ${answer.tokensOut}`,
      // Only breaks without an answer between them count towards giving the run up.
      takeovers: 0,
      waiting_since: null,
      model_down_since: null,
    }),
  });
}

/** The work on the run broke off once more, by a crash or a fault; returns how often it did since the last answer. */
export async function countInterruption(tx: Kysely<Tables>, runId: string): Promise<number> {
  const { takeovers } = await updateRun(tx, runId, { takeovers: sql`takeovers + 1` });
  return takeovers;
}

/**
 * The run waits for something outside; returns for how many milliseconds it has done nothing else. Hours in which it was due and nobody
 * took it up (a backlog, a stopped service, a suspended installation) do not count.
 */
export async function markRunWaiting(tx: Kysely<Tables>, runId: string): Promise<number> {
  const { waitedMs } = await tx
    .updateTable('runs')
    .set({ waiting_since: goOnSince('waiting_since'), model_down_since: null })
    .where('run_id', '=', runId)
    .returning(millisecondsSince('waiting_since').as('waitedMs'))
    .executeTakeFirstOrThrow();
  return waitedMs;
}

/**
 * The run waits for a model server that gives no usable answer; returns for how many milliseconds that gave none, and for how many the run
 * has only waited, both counted as above.
 */
export function markModelDown(tx: Kysely<Tables>, runId: string): Promise<{ downMs: number; waitedMs: number }> {
  return tx
    .updateTable('runs')
    .set({ waiting_since: goOnSince('waiting_since'), model_down_since: goOnSince('model_down_since') })
    .where('run_id', '=', runId)
    .returning([millisecondsSince('model_down_since').as('downMs'), millisecondsSince('waiting_since').as('waitedMs')])
    .executeTakeFirstOrThrow();
}

/**
 * The stored moment, or now. A claim leaves `due_at` as it is, so that tells how late a try came: by so much the stored moment moves on.
 * It is not forgotten, because a run that is always tried late must end as well.
 */
const goOnSince = (column: 'waiting_since' | 'model_down_since') => sql<Date>`least(now(), ${sql.ref(column)} + (
  select case when now() - due_at > ${realTiming.runs.longestTryMs} * interval '1 millisecond' then now() - due_at else interval '0' end
  from jobs where jobs.job_id = runs.job_id
))`;

const millisecondsSince = (column: 'waiting_since' | 'model_down_since') =>
  sql<number>`(extract(epoch from now() - ${sql.ref(column)}) * 1000)::float8`;

/** Somebody asked the run to stop while it still can: one that publishes finishes first. */
export const isStopDue = sql<boolean>`(phase = 'working' and stop_requested)`;

/** The same of a run that was read. */
export const mustStop = ({ phase, stop_requested: isAsked }: Run) => phase === 'working' && isAsked;

/** Whether that is so of the job's run. */
export async function isStopRequested(tx: Kysely<Tables>, jobId: string): Promise<boolean> {
  const run = await findOpenRun(tx, jobId);
  return run !== undefined && mustStop(run);
}

/** Ends the run. What it wrote is in its commit by now, or will never be. */
export async function markRunEnded(
  tx: Kysely<Tables>,
  runId: string,
  {
    outcome,
    code,
    sentence,
    commitSha,
  }: { outcome: 'completed' | 'failed'; code: string; sentence: string; commitSha?: string | undefined },
): Promise<void> {
  await updateRun(tx, runId, {
    phase: 'ended',
    outcome,
    code,
    sentence,
    ended_at: sql<Date>`now()`,
    ...(commitSha && { commit_sha: commitSha }),
  });
  await tx.deleteFrom('run_files').where('run_id', '=', runId).execute();
}

/** In the order in which they were started, each with its number of turns, also of those that retention has removed. */
export function listRuns(tx: Kysely<Tables>, jobId: string): Promise<(Run & { turns: number })[]> {
  return tx
    .selectFrom('runs')
    .selectAll()
    .select(
      sql<number>`coalesce(removed_turns, (select count(*) from turns where turns.run_id = runs.run_id))`.as('turns'),
    )
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute();
}
