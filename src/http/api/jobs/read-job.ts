import { isId } from '../../../ids.ts';
import type { Store } from '../../../store/store.ts';
import { findJob, type Job } from '../../../store/tables/jobs/jobs.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';

/** The job of the path. Throws the problem 404 if the project has no such job. */
export async function readRequestedJob({ database }: Store, { request, projectId }: Call): Promise<Job> {
  const { jobId } = request.params;
  const job = isId('job', jobId) ? await findJob(database, { projectId, jobId }) : undefined;
  if (!job) throw resourceNotFound();
  return job;
}

export const readRequestedJobId = async (store: Store, call: Call): Promise<string> =>
  (await readRequestedJob(store, call)).job_id;
