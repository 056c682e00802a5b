import { signalJob } from '../store/job-signals.ts';
import { isJobLeased, type Job, lockJob, stopJob } from '../store/jobs.ts';
import { countWaitingMessages, dropWaitingMessages, settleMessages } from '../store/messages.ts';
import { findOpenRun, insertRun, markRunEnded, type Run, updateRun } from '../store/runs.ts';
import { inTransaction, type Store, type StoreTx } from '../store/store.ts';
import { tellDropped, tellFailure } from './tell-failure.ts';
import { transition } from './transition.ts';

export const cancelled = { code: 'cancelled', sentence: 'Stopped on request. What was pushed before stays.' };

/**
 * Stops the job. The live run is told and ends `cancelled`; where nobody works on the job it fails at once. A run that already
 * publishes finishes, and what is pushed stays. A job that is not active stays as it is. Messages accepted before are dropped.
 */
export async function cancelJob(store: Store, jobId: string): Promise<Job> {
  return inTransaction(store, async (storeTx) => (await stopRun(storeTx, jobId)).job);
}

/** `told`: the live run ends as soon as it hears of it. `publishing`: it finishes first. `ended`: nobody was at work. */
export type Stopped = { kind: 'idle'; job: Job } | { kind: 'told' | 'publishing' | 'ended'; job: Job; run: Run };

/** The same in the caller's transaction. */
export async function stopRun(store: StoreTx, jobId: string): Promise<Stopped> {
  const { tx } = store;
  const job = await lockJob(tx, jobId);
  if (!job) throw new Error(`there is no job ${jobId}`);
  if (job.status !== 'active') return { kind: 'idle', job };
  const open = await findOpenRun(tx, jobId);
  const run = open ?? (await insertRun(tx, jobId));
  const isAnybodyWaiting = (await countWaitingMessages(tx, jobId)) > 0;
  await dropWaitingMessages(tx, { jobId, runId: run.run_id, reason: cancelled.code });
  const isPublishing = run.phase === 'publishing';
  if (isPublishing || (open && (await isJobLeased(tx, jobId)))) {
    // A run that publishes finishes; if a person's push sends it back to the agent, it stops there.
    await updateRun(tx, run.run_id, { stop_requested: true });
    await signalJob(tx, jobId);
    // Its own answers are about what it did.
    if (isPublishing && isAnybodyWaiting) await tellDropped(store, run);
    return { kind: isPublishing ? 'publishing' : 'told', job, run };
  }
  await settleMessages(tx, run.run_id, { state: 'dropped', reason: cancelled.code });
  await tellFailure(store, run, cancelled.sentence);
  await markRunEnded(tx, run.run_id, { outcome: 'failed', ...cancelled });
  const status = transition(job.status, { kind: 'cancel' });
  if (status === 'refused') throw new Error(`could not cancel ${jobId}, which is ${job.status}`);
  return { kind: 'ended', job: await stopJob(tx, jobId, status), run };
}
