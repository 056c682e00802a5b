import { type RawBuilder, sql } from 'kysely';
import type { Tokens } from '../../../config/prices.ts';
import { createId } from '../../../create-id.ts';
import { StopRequested } from '../../../errors.ts';
import type { Database } from '../../postgres/database.ts';
import { msBetween, now } from '../../postgres/moments.ts';
import { changeRow, findRow } from '../rows.ts';
import type { ColumnChange, Row } from '../schema.ts';

/** A try takes 16 minutes at most. A larger gap after the due time means a late try. */
const longestTryMs = 20 * 60_000;

export type Run = Row<'runs'>;

export const findOpenRun = (tx: Database, jobId: string): Promise<Run | undefined> =>
  findRow(tx, 'runs', { job_id: jobId }, sql`phase <> 'ended'`);

/** The number of the job's run that has this id, or that answered the message with this id. */
export async function findRunNumber(
  tx: Database,
  { jobId, id }: { jobId: string; id: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    select number from runs where job_id = ${jobId}
      and (run_id = ${id} or run_id in (select run_id from messages where message_id = ${id}))`.execute(tx);
  return rows[0]?.number;
}

export const findRun = (tx: Database, runId: string): Promise<Run | undefined> =>
  findRow(tx, 'runs', { run_id: runId });

/** null: the job has had no run. */
export async function findLastRunId(tx: Database, jobId: string): Promise<string | null> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from runs where job_id = ${jobId} order by number desc limit 1`.execute(tx);
  return rows[0]?.run_id ?? null;
}

/** The commit that a run of the job pushed last. */
export async function findLastPush(tx: Database, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ commit_sha: string }>`
    select commit_sha from runs where job_id = ${jobId} and commit_sha is not null
    order by number desc limit 1`.execute(tx);
  return rows[0]?.commit_sha;
}

export const findRunOfPush = (tx: Database, { jobId, sha }: { jobId: string; sha: string }): Promise<Run | undefined> =>
  findRow(tx, 'runs', { commit_sha: sha, job_id: jobId });

/** The job that pushed a commit, unless it has ended. Most commits are none of ours: one look at an index. */
export async function findJobOfPush(
  tx: Database,
  { repositoryId, sha }: { repositoryId: number; sha: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ job_id: string }>`
    select job_id from runs join jobs using (job_id) join projects using (project_id)
    where commit_sha = ${sha} and repository_id = ${repositoryId} and removed_at is null and status <> 'archived'
    limit 1`.execute(tx);
  return rows[0]?.job_id;
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

export async function updateRun(tx: Database, runId: string, change: ColumnChange<'runs'>): Promise<Run> {
  const run = await changeRow(tx, 'runs', { run_id: runId }, change);
  if (!run) throw new Error(`run ${runId} does not exist`);
  return run;
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
  { activeMs, answer, isNoticeTold = false }: { activeMs: number; answer?: Tokens; isNoticeTold?: boolean },
): Promise<void> {
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
  return (await startWaiting(tx, runId, sql`null`)).waitedMs;
}

async function startWaiting(
  tx: Database,
  runId: string,
  modelDownSince: RawBuilder<unknown>,
): Promise<{ downMs: number; waitedMs: number }> {
  const { rows } = await sql<{ downMs: number; waitedMs: number }>`
    update runs set waiting_since = ${startOrShift('waiting_since')}, model_down_since = ${modelDownSince}
    where run_id = ${runId}
    returning ${msBetween(sql`model_down_since`, now)} as "downMs", ${msBetween(sql`waiting_since`, now)} as "waitedMs"`.execute(
    tx,
  );
  const [waiting] = rows;
  if (!waiting) throw new Error(`run ${runId} does not exist`);
  return waiting;
}

/** Returns the length of the outage, and the waiting time as `markRunWaiting` does. */
export const markModelDown = (tx: Database, runId: string): Promise<{ downMs: number; waitedMs: number }> =>
  startWaiting(tx, runId, startOrShift('model_down_since'));

/** A late try shifts the stored time by the delay but does not reset it: a run that is always tried late must end as well. */
const startOrShift = (column: 'waiting_since' | 'model_down_since') => sql<Date>`least(now(), ${sql.ref(column)} + (
  select case when now() - due_at > ${longestTryMs} * interval '1 millisecond' then now() - due_at else interval '0' end
  from jobs where jobs.job_id = runs.job_id
))`;

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

export async function listRuns(tx: Database, jobId: string): Promise<(Run & { turns: number })[]> {
  const { rows } = await sql<Run & { turns: number }>`
    select *, ${countTurns} as turns from runs where job_id = ${jobId} order by number`.execute(tx);
  return rows;
}
