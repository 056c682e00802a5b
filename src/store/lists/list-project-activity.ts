import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { Project } from '../tables/repositories/projects.ts';

export interface ProjectActivity {
  project: Project;
  /** Orders the projects by name. */
  sortKey: string;
  activeJobs: number;
  /** Jobs that wait for a review; one more than `mostCounted` stands for more. */
  reviewJobs: number;
  /** Within a week, without those that were stopped on request. */
  failedJobs: number;
  lastMessageAt: Date | null;
}

export const mostCounted = 50;

const sortKey = sql<string>`lower(owner || '/' || repo) collate "C" || ' ' || project_id`;

/** Projects that are not removed, by name, after this sort key. `text`: only names that contain it, in any case. */
export async function listProjectActivity(
  tx: Database,
  { text, after, limit }: { text: string; after: string | undefined; limit: number },
): Promise<ProjectActivity[]> {
  const { rows } = await sql<Omit<ProjectActivity, 'project'> & Project>`
    select *, ${sortKey} as "sortKey",
      (select count(*) from jobs where jobs.project_id = projects.project_id and status = 'active') as "activeJobs",
      (select count(*) from (select from jobs where jobs.project_id = projects.project_id and status = 'completed'
        and pull_request_number is not null limit ${mostCounted + 1}) waiting) as "reviewJobs",
      (select count(*) from jobs where jobs.project_id = projects.project_id and status = 'failed'
        and created_at > now() - interval '7 days' and 'cancelled' is distinct from (
          select code from runs where runs.job_id = jobs.job_id order by number desc limit 1
        )) as "failedJobs",
      (select max(created_at) from messages where job_id = (
        select job_id from jobs where jobs.project_id = projects.project_id order by job_id desc limit 1
      )) as "lastMessageAt"
    from projects where removed_at is null
      ${text === '' ? sql`` : sql`and position(lower(${text}) in lower(owner || '/' || repo)) > 0`}
      ${after === undefined ? sql`` : sql`and ${sortKey} > ${after}`}
    order by ${sortKey} limit ${limit}`.execute(tx);
  return rows.map(({ sortKey: key, activeJobs, reviewJobs, failedJobs, lastMessageAt, ...project }) => {
    return { project, sortKey: key, activeJobs, reviewJobs, failedJobs, lastMessageAt };
  });
}
