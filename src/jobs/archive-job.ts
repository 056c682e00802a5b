import type { Tx } from '../store/database.ts';
import { signalJob } from '../store/job-signals.ts';
import { type Job, lockJob, stopJob } from '../store/jobs.ts';
import { dropWaitingMessages, settleMessages } from '../store/messages.ts';
import { findOpenRun, markRunEnded } from '../store/runs.ts';
import { transition } from './transition.ts';

/** Why a job was archived, as its run and its dropped messages tell it. */
export const archiveReasons = {
  requested: 'The job was archived on request.',
  merged: 'The pull request was merged.',
  closed: 'The pull request was closed.',
  repository_gone: 'Pagewright no longer has access to the repository.',
} as const;

/**
 * Archives the job, in whatever state it is: its epoch goes up, so a live run can do nothing more, and it is told to stop.
 * Idempotent. Runs in the caller's transaction.
 */
export async function archiveJob(tx: Tx, jobId: string, reason: keyof typeof archiveReasons): Promise<Job> {
  const job = await lockJob(tx, jobId);
  if (!job) throw new Error(`there is no job ${jobId}`);
  if (job.status === 'archived') return job;
  await dropWaitingMessages(tx, { jobId, reason: 'archived' });
  const run = await findOpenRun(tx, jobId);
  if (run) {
    await settleMessages(tx, run.run_id, { state: 'dropped', reason: 'archived' });
    await markRunEnded(tx, run.run_id, { outcome: 'failed', code: 'archived', sentence: archiveReasons[reason] });
  }
  await signalJob(tx, jobId);
  const status = transition(job.status, { kind: 'archive' });
  if (status === 'refused') throw new Error(`could not archive ${jobId}, which is ${job.status}`);
  return stopJob(tx, jobId, status);
}
