import { type Kysely, sql } from 'kysely';
import { type Backlog, readBacklog } from '../tables/figures.ts';
import type { Job } from '../tables/jobs/jobs.ts';
import type { Project } from '../tables/repositories/projects.ts';
import type { Tables } from '../tables/schema.ts';

/** What an operator looks at. */
export interface Operations {
  backlog: Backlog;
  /** Jobs that a worker holds, the longest first. */
  live: (Pick<Job, 'job_id' | 'lease_owner' | 'lease_until'> & Pick<Project, 'project_id' | 'owner' | 'repo'>)[];
  /** Who is signed in. */
  people: { user_id: number; login: string; sessions: number; used_at: Date }[];
}

const most = 100;

export async function readOperations(database: Kysely<Tables>): Promise<Operations> {
  const backlog = await readBacklog(database);
  const live = await database
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.project_id', 'jobs.project_id')
    .select(['job_id', 'lease_owner', 'lease_until', 'projects.project_id', 'owner', 'repo'])
    .where('lease_until', '>', sql<Date>`now()`)
    .orderBy('job_id')
    .limit(most)
    .execute();
  const people = await database
    .selectFrom('sessions')
    .select(['user_id', sql<string>`max(login)`.as('login')])
    .select([sql<number>`count(*)`.as('sessions'), sql<Date>`max(used_at)`.as('used_at')])
    .groupBy('user_id')
    .orderBy('used_at', 'desc')
    .limit(most)
    .execute();
  return { backlog, live, people };
}
