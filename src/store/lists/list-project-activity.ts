import { type Kysely, sql } from 'kysely';
import type { Project } from '../tables/repositories/projects.ts';
import type { Tables } from '../tables/schema.ts';

export interface ProjectActivity {
  project: Project;
  /** Orders the projects by name. */
  sortKey: string;
  activeJobs: number;
  /** Within a week, without those that were stopped on request. */
  failedJobs: number;
  lastMessageAt: Date | null;
}

const sortKey = sql<string>`lower(owner || '/' || repo) collate "C" || ' ' || project_id`;

/** Projects that are not removed, by name, after this sort key. */
export async function listProjectActivity(
  tx: Kysely<Tables>,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ProjectActivity[]> {
  const rows = await tx
    .selectFrom('projects')
    .selectAll()
    .select([
      sortKey.as('sortKey'),
      sql<number>`(select count(*) from jobs where jobs.project_id = projects.project_id and status = 'active')`.as(
        'activeJobs',
      ),
      sql<number>`(select count(*) from jobs where jobs.project_id = projects.project_id and status = 'failed'
        and created_at > now() - interval '7 days' and 'cancelled' is distinct from (
          select code from runs where runs.job_id = jobs.job_id order by number desc limit 1
        ))`.as('failedJobs'),
      sql<Date | null>`(select max(created_at) from messages where job_id = (
        select job_id from jobs where jobs.project_id = projects.project_id order by job_id desc limit 1
      ))`.as('lastMessageAt'),
    ])
    .where('removed_at', 'is', null)
    .$if(after !== undefined, (all) => all.where(sortKey, '>', after ?? ''))
    .orderBy(sortKey)
    .limit(limit)
    .execute();
  return rows.map(({ sortKey: key, activeJobs, failedJobs, lastMessageAt, ...project }) => ({
    project,
    sortKey: key,
    activeJobs: Number(activeJobs),
    failedJobs: Number(failedJobs),
    lastMessageAt,
  }));
}
