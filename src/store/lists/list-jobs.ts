import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { type JobStatus, jobStatuses, type MessageSource } from '../tables/columns.ts';
import type { Job } from '../tables/jobs/jobs.ts';
import { cutPage, type ListPage, type PageRequest, rowsToRead } from './page.ts';

export interface JobFilter {
  projectId: string;
  statuses?: readonly JobStatus[] | undefined;
  pullRequest?: number | undefined;
  /** Only jobs with a message of this source. */
  source?: MessageSource | undefined;
  /** Only jobs with a pull request. */
  hasPullRequest?: boolean | undefined;
  /** Only jobs whose title or instructions contain this, in any case. */
  text?: string | undefined;
  /** Only jobs with a message of this person or key. */
  author?: string | undefined;
  /** Only jobs that this automation began. */
  automation?: string | undefined;
}

/** Newest first. Indexes by status and by source keep the cost independent of the project's other jobs, except for a search. */
export async function listJobs(
  database: Database,
  options: JobFilter,
  page: PageRequest<string>,
): Promise<ListPage<Job, string>> {
  const { projectId, pullRequest, source, text, author, automation } = options;
  const { statuses = jobStatuses, hasPullRequest = false } = options;
  const { after } = page;
  const { rows } = await sql<Job>`
    select jobs.* from unnest(${[...statuses]}::text[]) as listed (status) cross join lateral (
      select * from jobs
      where project_id = ${projectId} and status = listed.status
        ${pullRequest === undefined ? sql`` : sql`and pull_request_number = ${pullRequest}`}
        ${automation === undefined ? sql`` : sql`and automation = ${automation}`}
        ${source === undefined ? sql`` : sql`and ${sql.lit(source)} = any (sources)`}
        ${hasPullRequest ? sql`and pull_request_number is not null` : sql``}
        ${text === undefined ? sql`` : sql`and (position(lower(${text}) in lower(pull_request_title)) > 0 or exists (select 1 from messages where messages.job_id = jobs.job_id and position(lower(${text}) in lower(prompt)) > 0))`}
        ${author === undefined ? sql`` : sql`and exists (select 1 from messages where messages.job_id = jobs.job_id and author = ${author})`}
        ${after === undefined ? sql`` : sql`and job_id collate "C" < ${after}`}
      order by job_id collate "C" desc limit ${rowsToRead(page)}
    ) jobs
    order by job_id collate "C" desc limit ${rowsToRead(page)}`.execute(database);
  return cutPage(rows, page, ({ job_id: jobId }) => jobId);
}

const recentOfStatus = 50;

/** Who wrote messages of the project's newest jobs, by name. */
export async function listAuthors(database: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ author: string }>`
    select distinct author from unnest(${[...jobStatuses]}::text[]) as listed (status) cross join lateral (
      select job_id from jobs where project_id = ${projectId} and status = listed.status
      order by job_id collate "C" desc limit ${recentOfStatus}
    ) jobs join messages using (job_id)
    order by author limit ${recentOfStatus}`.execute(database);
  return rows.map(({ author }) => author);
}
