import type { Tx } from '../store/postgres/database.ts';
import { type Job, updateJob } from '../store/tables/jobs.ts';

/**
 * Notes the number of a job's pull request where somebody writes on it before the run that opened it has noted the number: whatever becomes
 * of that run, this person is answered there. The job's row must be locked.
 */
export async function recordPullRequest(tx: Tx, job: Job, number: number): Promise<void> {
  if (job.pull_request_number !== null) return;
  await updateJob(tx, job.job_id, { pull_request_number: number });
}
