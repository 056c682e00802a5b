import { signalJob } from '../store/job-signals.ts';
import { isJobLeased, type Job, lockJob, stopJob } from '../store/jobs.ts';
import { dropWaitingMessages, settleMessages } from '../store/messages.ts';
import { findOpenRun, insertRun, markRunEnded, updateRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { transition } from './transition.ts';

export const cancelled = { code: 'cancelled', sentence: 'The job was cancelled on request.' };

/**
 * Stops the job. The live run is told and ends `cancelled`; where nobody works on the job it fails at once. A run that already
 * publishes finishes, and what is pushed stays. A job that is not active stays as it is. Messages accepted before are dropped.
 */
export async function cancelJob({ database }: Pick<Store, 'database'>, jobId: string): Promise<Job> {
  return database.transaction().execute(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job) throw new Error(`there is no job ${jobId}`);
    if (job.status !== 'active') return job;
    const open = await findOpenRun(tx, jobId);
    const run = open ?? (await insertRun(tx, jobId));
    await dropWaitingMessages(tx, { jobId, runId: run.run_id, reason: cancelled.code });
    // A run that publishes finishes; if a person's push sends it back to the agent, it stops there.
    const isHeld = open && (run.phase === 'publishing' || (await isJobLeased(tx, jobId)));
    if (isHeld) {
      await updateRun(tx, run.run_id, { stop_requested: true });
      await signalJob(tx, jobId);
      return job;
    }
    await settleMessages(tx, run.run_id, { state: 'dropped', reason: cancelled.code });
    await markRunEnded(tx, run.run_id, { outcome: 'failed', ...cancelled });
    const status = transition(job.status, { kind: 'cancel' });
    if (status === 'refused') throw new Error(`could not cancel ${jobId}, which is ${job.status}`);
    return stopJob(tx, jobId, status);
  });
}
