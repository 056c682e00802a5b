import { sql } from 'kysely';
import { createJob } from '../../../src/jobs/create-job.ts';
import { startRun } from '../../../src/jobs/job-events.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { inLease, type Lease } from '../../../src/store/schedule/lease.ts';
import type { Store } from '../../../src/store/store.ts';
import type { JobStatus } from '../../../src/store/tables/columns.ts';
import { type Job, updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { takeMessages } from '../../../src/store/tables/jobs/messages.ts';
import type { Run } from '../../../src/store/tables/jobs/runs.ts';

/** Accepts a job, without a limit. */
export async function acceptJob(store: Store, projectId: string, prompt = 'Fix the typo'): Promise<Job> {
  const options = { base: null, model: null, models: ['gpt-5'] as const, draft: false };
  const request = { projectId, source: 'api' as const, prompt, author: 'ci', ...options, rateLimit: 0 };
  const result = await createJob(store, request);
  if (result.kind !== 'accepted') throw new Error(`the job was not accepted: ${result.kind}`);
  return result.job;
}

/** A job in a status, as if the stories had brought it there, without its messages. */
export async function makeJob(store: Store, projectId: string, status: JobStatus): Promise<Job> {
  const { job_id: jobId } = await acceptJob(store, projectId);
  if (status === 'active')
    return store.database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
  await store.database.deleteFrom('messages').where('job_id', '=', jobId).execute();
  return updateJob(store.database, jobId, {
    status,
    due_at: null,
    ...(status === 'archived' && { archived_at: new Date() }),
  });
}

/** Claims the due job; throws when there is none. */
export async function claimDue({ database }: Pick<Store, 'database'>, worker = 'worker-1'): Promise<Lease> {
  const lease = await claimJob(database, worker);
  if (!lease) throw new Error('no job is due');
  return lease;
}

export const runOutLease = ({ database }: Pick<Store, 'database'>, jobId: string): Promise<Job> =>
  updateJob(database, jobId, { lease_until: sql<Date>`now() - interval '1 second'` });

/** Claims the due job and begins its run with the waiting messages, as a worker does. */
export async function beginWork(store: Store, worker = 'worker-1'): Promise<{ lease: Lease; run: Run }> {
  const lease = await claimDue(store, worker);
  const run = await inLease(store.database, lease, async (tx) => {
    const begun = await startRun(tx, lease.jobId);
    await takeMessages(tx, { jobId: lease.jobId, runId: begun.run_id, turnIndex: 0 });
    return begun;
  });
  return { lease, run };
}
