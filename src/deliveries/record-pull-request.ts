import type { Tx } from '../store/database.ts';
import { type Job, updateJob } from '../store/jobs.ts';

/**
 * Notes the number of a job's pull request that somebody writes on before the run that opened it has noted it: whatever becomes of that
 * run, whoever wrote there is answered there. The job's row must be locked.
 */
export async function recordPullRequest(tx: Tx, job: Job | undefined, number: number): Promise<void> {
  if (job?.pull_request_number !== null) return;
  await updateJob(tx, job.job_id, { pull_request_number: number });
}
