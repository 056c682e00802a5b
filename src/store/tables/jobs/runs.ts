import { sql } from 'kysely';
import type { Tokens } from '../../../config/prices.ts';
import { createId } from '../../../create-id.ts';
import { StopRequested } from '../../../errors.ts';
import type { Database } from '../../postgres/database.ts';
import type { ColumnChange, Row } from '../schema.ts';

/** A try takes 16 minutes at most. A larger gap after the due time means a late try. */
const longestTryMs = 20 * 60_000;

export type Run = Row<'runs'>;

export function findOpenRun(tx: Database, jobId: string): Promise<Run | undefined> {
  return tx.selectFrom('runs').selectAll().where('job_id', '=', jobId).where('phase', '<>', 'ended').executeTakeFirst();
}

/** The number of the job's run that has this id, or that answered the message with this id. */
export async function findRunNumber(
  tx: Database,
  { jobId, id }: { jobId: string; id: string },
): Promise<number | undefined> {
  const found = await tx
    .selectFrom('runs')
    .select('number')
    .where('job_id', '=', jobId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('run_id', '=', id),
        eb('run_id', 'in', selectFrom('messages').select('run_id').where('message_id', '=', id)),
      ]),
    )
    .executeTakeFirst();
  return found?.number;
}

export function findRun(tx: Database, runId: string): Promise<Run | undefined> {
  return tx.selectFrom('runs').selectAll().where('run_id', '=', runId).executeTakeFirst();
}

/** null: the job has had no run. */
export async function findLastRunId(tx: Database, jobId: string): Promise<string | null> {
  const last = await tx
    .selectFrom('runs')
    .select('run_id')
    .where('job_id', '=', jobId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.run_id ?? null;
}

/** The commit that a run of the job pushed last. */
export async function findLastPush(tx: Database, jobId: string): Promise<string | undefined> {
  const last = await tx
    .selectFrom('runs')
    .select('commit_sha')
    .where('job_id', '=', jobId)
    .where('commit_sha', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.commit_sha ?? undefined;
}

export const findRunOfPush = (tx: Database, { jobId, sha }: { jobId: string; sha: string }): Promise<Run | undefined> =>
  tx.selectFrom('runs').selectAll().where('commit_sha', '=', sha).where('job_id', '=', jobId).executeTakeFirst();

/** The job that pushed a commit, unless it has ended. Most commits are none of ours: one look at an index. */
export async function findJobOfPush(
  tx: Database,
  { repositoryId, sha }: { repositoryId: number; sha: string },
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('runs')
    .innerJoin('jobs', 'jobs.job_id', 'runs.job_id')
    .innerJoin('projects', 'projects.project_id', 'jobs.project_id')
    .select('jobs.job_id')
    .where(({ and }) => and({ commit_sha: sha, repository_id: repositoryId, removed_at: null }))
    .where('status', '<>', 'archived')
    .limit(1)
    .executeTakeFirst();
  return found?.job_id;
}

export interface LastRun {
  code: string | null;
  /** When it ended, or else began. */
  at: Date;
  /** Problems that the checks left in what the job pushed last. */
  problems: number;
}

/** The last run of each job that has one. */
export async function listLastRuns(tx: Database, jobIds: readonly string[]): Promise<Map<string, LastRun>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await sql<LastRun & { job_id: string }>`
    select job_id, code, at, coalesce(problems, 0) as problems
    from unnest(${[...jobIds]}::text[]) as asked (job_id)
    cross join lateral (
      select code, coalesce(ended_at, started_at) as at from runs
      where runs.job_id = asked.job_id order by number desc limit 1
    ) last
    left join lateral (
      select json_array_length(publication #> '{checks,problems}') + (publication #>> '{checks,more}')::int as problems
      from runs where runs.job_id = asked.job_id and commit_sha is not null order by number desc limit 1
    ) pushed on true`.execute(tx);
  return new Map(rows.map(({ job_id: jobId, ...last }) => [jobId, last]));
}

export function insertRun(tx: Database, jobId: string): Promise<Run> {
  return tx
    .insertInto('runs')
    .values({
      run_id: createId('run'),
      job_id: jobId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from runs where job_id = ${jobId})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateRun(tx: Database, runId: string, change: ColumnChange<'runs'>): Promise<Run> {
  return tx.updateTable('runs').set(change).where('run_id', '=', runId).returningAll().executeTakeFirstOrThrow();
}

export async function addRunWarning(tx: Database, runId: string, warning: string): Promise<void> {
  const { warnings } = await tx
    .selectFrom('runs')
    .select('warnings')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  if (warnings.includes(warning)) return;
  await updateRun(tx, runId, { warnings: JSON.stringify([...warnings, warning]) });
}

/** An answer is progress: it resets the counters of interruptions and waiting. */
export async function countRunActivity(
  tx: Database,
  runId: string,
  options: {
    activeMs: number;
    answer?: Tokens;
    isNoticeTold?: boolean;
  },
): Promise<void> {
  const { activeMs, answer, isNoticeTold = false } = options;
  await updateRun(tx, runId, {
    active_ms: sql`active_ms + ${activeMs}`,
    ...(isNoticeTold && { notice: null }),
    ...(answer && {
      tokens_in: sql`tokens_in + ${answer.tokensIn}`,
      tokens_out: sql`tokens_out + ${answer.tokensOut}`,
      tokens_cached: sql`tokens_cached + ${answer.tokensCached}`,
      takeovers: 0,
      waiting_since: null,
      model_down_since: null,
    }),
  });
}

/** Returns the number of interruptions since the last answer. */
export async function countInterruption(tx: Database, runId: string): Promise<number> {
  const { takeovers } = await updateRun(tx, runId, { takeovers: sql`takeovers + 1` });
  return takeovers;
}

/** Returns the time spent only waiting, without the time in which the run was due but no worker took it. */
export async function markRunWaiting(tx: Database, runId: string): Promise<number> {
  const { waitedMs } = await tx
    .updateTable('runs')
    .set({ waiting_since: startOrShift('waiting_since'), model_down_since: null })
    .where('run_id', '=', runId)
    .returning(millisecondsSince('waiting_since').as('waitedMs'))
    .executeTakeFirstOrThrow();
  return waitedMs;
}

/** Returns the length of the outage, and the waiting time as `markRunWaiting` does. */
export function markModelDown(tx: Database, runId: string): Promise<{ downMs: number; waitedMs: number }> {
  return tx
    .updateTable('runs')
    .set({ waiting_since: startOrShift('waiting_since'), model_down_since: startOrShift('model_down_since') })
    .where('run_id', '=', runId)
    .returning([millisecondsSince('model_down_since').as('downMs'), millisecondsSince('waiting_since').as('waitedMs')])
    .executeTakeFirstOrThrow();
}

/** A late try shifts the stored time by the delay but does not reset it: a run that is always tried late must end as well. */
const startOrShift = (column: 'waiting_since' | 'model_down_since') => sql<Date>`least(now(), ${sql.ref(column)} + (
  select case when now() - due_at > ${longestTryMs} * interval '1 millisecond' then now() - due_at else interval '0' end
  from jobs where jobs.job_id = runs.job_id
))`;

const millisecondsSince = (column: 'waiting_since' | 'model_down_since') =>
  sql<number>`(extract(epoch from now() - ${sql.ref(column)}) * 1000)::float8`;

/** A publishing run finishes. */
export const isStopDue = ({ phase, stop_requested: isRequested }: Run): boolean => phase === 'working' && isRequested;
export const isStopDueSql = sql<boolean>`(phase = 'working' and stop_requested)`;

/** Throws `StopRequested`. */
export async function assertNoStop(tx: Database, jobId: string): Promise<void> {
  const run = await findOpenRun(tx, jobId);
  if (run && isStopDue(run)) throw new StopRequested();
}

export interface RunEnd {
  outcome: 'completed' | 'failed';
  code: string;
  sentence: string;
  commitSha?: string | undefined;
}

export async function markRunEnded(
  tx: Database,
  runId: string,
  { outcome, code, sentence, commitSha }: RunEnd,
): Promise<Run> {
  return tx
    .with('removed', (files) => files.deleteFrom('run_files').where('run_id', '=', runId))
    .updateTable('runs')
    .set({
      phase: 'ended',
      outcome,
      code,
      sentence,
      ended_at: sql<Date>`now()`,
      ...(commitSha && { commit_sha: commitSha }),
    })
    .where('run_id', '=', runId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts the turns of a run, also those that retention has removed. */
export const countTurns = sql<number>`coalesce(removed_turns, (select count(*) from turns where turns.run_id = runs.run_id))`;

export function listRuns(tx: Database, jobId: string): Promise<(Run & { turns: number })[]> {
  return tx
    .selectFrom('runs')
    .selectAll()
    .select(countTurns.as('turns'))
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute();
}
