import { isId } from '../../../../ids.ts';
import type { Database } from '../../../../store/postgres/database.ts';
import { findJob, type Job } from '../../../../store/tables/jobs/jobs.ts';
import { pageNotFound } from '../../frame/page-refusal.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';

/** The job of the address. Throws the page 404 if it does not exist. */
export async function readVisitedJob(database: Database, { project, request }: ProjectVisit): Promise<Job> {
  const { jobId } = request.params;
  const job = isId('job', jobId) ? await findJob(database, { projectId: project.project_id, jobId }) : undefined;
  if (!job) throw pageNotFound();
  return job;
}
