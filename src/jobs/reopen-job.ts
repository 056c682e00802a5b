import type { Tx } from '../store/postgres/database.ts';
import { type Job, lockJob, updateJob } from '../store/tables/jobs.ts';
import { transition } from './transition.ts';

/** Makes an archived job answerable again, because its pull request was reopened. Idempotent; any other job stays as it is. */
export async function reopenJob(tx: Tx, jobId: string): Promise<Job> {
  const job = await lockJob(tx, jobId);
  const status = transition(job.status, { kind: 'reopen' });
  if (status === job.status || status === 'refused') return job;
  return updateJob(tx, jobId, { status, archived_at: null, archive_reason: null });
}
