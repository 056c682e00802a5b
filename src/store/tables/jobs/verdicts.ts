import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { inMs, msBetween } from '../../postgres/moments.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import type { CheckState } from '../columns.ts';
import type { FailingName } from '../github-tables.ts';
import { changeRows, findRow } from '../rows.ts';
import type { NewRow, Row } from '../schema.ts';
import { projectChannel } from './events.ts';

/** What GitHub told of a job's pull request: its reviews, and the checks of the commit that the job pushed last. */
export interface Verdict {
  /** Null: not known. */
  checks: CheckState | null;
  failing: FailingName[];
  approvedBy: string[];
  /** Who asks for changes. */
  wantedBy: string[];
}

export const noVerdict: Verdict = { checks: null, failing: [], approvedBy: [], wantedBy: [] };

export async function listVerdicts(tx: Database, jobIds: readonly string[]): Promise<Map<string, Verdict>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await sql<Omit<Verdict, 'failing'> & { job_id: string; failing: FailingName[] | null }>`
    select asked.job_id, state as checks, failing, "approvedBy", "wantedBy"
    from unnest(${[...jobIds]}::text[]) as asked (job_id)
    left join lateral (
      select state, failing from head_checks where head_checks.job_id = asked.job_id and sha = (
        select commit_sha from runs where runs.job_id = asked.job_id and commit_sha is not null
        order by number desc limit 1
      )
    ) checks on true
    cross join lateral (
      select coalesce(json_agg(login order by submitted_at) filter (where state = 'approved'), '[]') as "approvedBy",
        coalesce(json_agg(login order by submitted_at) filter (where state = 'changes_requested'), '[]') as "wantedBy"
      from pull_request_reviews where pull_request_reviews.job_id = asked.job_id
    ) reviews`.execute(tx);
  return new Map(rows.map(({ job_id: jobId, failing, ...verdict }) => [jobId, { ...verdict, failing: failing ?? [] }]));
}

/** Keeps the last word of each reviewer, in whatever order the webhooks come. False: a later one is known. */
export async function storeReview(tx: Database, review: NewRow<'pull_request_reviews'>): Promise<boolean> {
  const { job_id: jobId, user_id: userId, login, state, submitted_at: submittedAt } = review;
  const { rows } = await sql`
    with stored as (
      insert into pull_request_reviews as old (job_id, user_id, login, state, submitted_at)
      values (${jobId}, ${userId}, ${login}, ${state}, ${submittedAt})
      on conflict (job_id, user_id) do update
        set login = excluded.login, state = excluded.state, submitted_at = excluded.submitted_at
        where excluded.submitted_at > old.submitted_at
          or (excluded.submitted_at = old.submitted_at and excluded.state = 'dismissed')
      returning job_id
    )
    select pg_notify(${projectChannel}, project_id) from jobs join stored using (job_id)`.execute(tx);
  return rows.length > 0;
}

/** The size of the job's pull request. False: a later one is known. */
export async function storeSize(
  tx: Database,
  { jobId, size, at }: { jobId: string; size: { files: number; additions: number; deletions: number }; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update jobs set changed_files = ${size.files}, additions = ${size.additions}, deletions = ${size.deletions}, size_at = ${at}
      where job_id = ${jobId} and (size_at is null or size_at <= ${at})
      returning project_id
    )
    select pg_notify(${projectChannel}, project_id) from changed`.execute(tx);
  return rows.length > 0;
}

export const findPreview = (tx: Database, jobId: string): Promise<Row<'previews'> | undefined> =>
  findRow(tx, 'previews', { job_id: jobId });

export async function storePreview(tx: Database, preview: Row<'previews'>): Promise<void> {
  await tx
    .insertInto('previews')
    .values(preview)
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ url: preview.url, sha: preview.sha }))
    .execute();
}

export type HeadChecks = Row<'head_checks'>;

/** GitHub told of a check of this commit: it is asked soon. False: that was so before. A new commit starts anew. */
export async function makeLookDue(
  tx: Database,
  { jobId, sha, afterMs }: { jobId: string; sha: string; afterMs: number },
): Promise<boolean> {
  const soon = inMs(afterMs);
  const { numAffectedRows } = await sql`
    insert into head_checks as known (job_id, sha, due_at) values (${jobId}, ${sha}, ${soon})
    on conflict (job_id) do update set
      sha = excluded.sha,
      -- What a look under way was told may be older: it stays due, and stores nothing.
      due_at = case when known.sha = excluded.sha and known.due_at < now() then now() else ${soon} end,
      since = case when known.sha = excluded.sha then known.since else now() end,
      failed_at = case when known.sha = excluded.sha then known.failed_at end,
      state = case when known.sha = excluded.sha then known.state end
    where known.sha <> excluded.sha or known.due_at is null or known.due_at not between now() and ${soon}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Null `afterMs`: nothing is open. Does nothing if GitHub told more since `looked` was read. */
export async function storeLook(
  tx: Database,
  { job_id, sha, due_at }: HeadChecks,
  { afterMs, hasFailed }: { afterMs: number | null; hasFailed: boolean },
): Promise<void> {
  const change = {
    due_at: afterMs === null ? null : inMs(afterMs),
    failed_at: hasFailed ? sql`coalesce(failed_at, now())` : null,
  };
  const isUnchanged = sql`date_trunc('milliseconds', due_at) = ${due_at}`;
  await changeRows(tx, 'head_checks', { job_id, sha }, change, isUnchanged);
}

/** How long each has been failing and known, by the database's clock; undefined: it is not due. */
export async function readDueLook(
  tx: Database,
  jobId: string,
): Promise<(HeadChecks & { failedMs: number | null; ageMs: number }) | undefined> {
  const clock = sql`clock_timestamp()`;
  const { rows } = await sql<HeadChecks & { failedMs: number | null; ageMs: number }>`
    select *, ${msBetween(sql`failed_at`, clock)} as "failedMs", ${msBetween(sql`since`, clock)} as "ageMs"
    from head_checks where job_id = ${jobId} and due_at <= ${clock}`.execute(tx);
  return rows[0];
}

/** Those that no entry of the queue takes. */
export async function listDueLooks({ database, queue }: Stored, limit: number): Promise<string[]> {
  const { rows } = await sql<{ job_id: string }>`
    select job_id from head_checks
    where due_at <= now() and ${isUnqueued(queue, 'look', { jobId: sql`job_id` })}
    order by due_at limit ${limit}`.execute(database);
  return rows.map((row) => row.job_id);
}

/** What GitHub said of the checks of a commit, for those who watch the list of jobs. */
export async function storeCheckState(
  tx: Database,
  { job_id: jobId, sha }: HeadChecks,
  { state, failing }: { state: HeadChecks['state']; failing: readonly FailingName[] },
): Promise<void> {
  await sql`
    with changed as (
      update head_checks set state = ${state}, failing = ${JSON.stringify(failing)}::json
      where job_id = ${jobId} and sha = ${sha}
        and (state, failing::text) is distinct from (${state}::text, ${JSON.stringify(failing)})
      returning job_id
    )
    select pg_notify(${projectChannel}, project_id) from jobs join changed using (job_id)`.execute(tx);
}
