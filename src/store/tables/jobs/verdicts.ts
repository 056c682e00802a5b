import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { CheckState } from '../columns.ts';
import type { FailingName } from '../repositories/check-tables.ts';
import { findRow } from '../rows.ts';
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

interface Size {
  files: number;
  additions: number;
  deletions: number;
}

/** The size of the job's pull request. False: a later one is known. */
export async function storeSize(
  tx: Database,
  { jobId, size, at }: { jobId: string; size: Size; at: Date },
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
