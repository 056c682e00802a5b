import type { Tx } from '../store/postgres/database.ts';
import { type Job, lockJob, releaseJob } from '../store/tables/jobs.ts';
import { countWaitingMessages, settleMessages } from '../store/tables/messages.ts';
import { markRunEnded, type Run } from '../store/tables/runs.ts';
import { transition } from './transition.ts';

/** How a run ended: its outcome for the job, a code for programs and one plain sentence for people. */
export interface RunEnd {
  outcome: 'completed' | 'failed';
  code: string;
  sentence: string;
  commitSha?: string | undefined;
}

/**
 * Ends the run and gives its lease back: the job is due again at once if a message came meanwhile. Runs in a transaction of
 * the lease, which holds the job's row.
 */
export async function endRun(tx: Tx, run: Run, end: RunEnd): Promise<Job> {
  const job = await lockJob(tx, run.job_id);
  const isAnswered = end.outcome === 'completed';
  await settleMessages(tx, run.run_id, isAnswered ? { state: 'answered' } : { state: 'dropped', reason: end.code });
  await markRunEnded(tx, run.run_id, end);
  const isMessageWaiting = (await countWaitingMessages(tx, run.job_id)) > 0;
  const status = transition(job.status, { kind: 'run-ended', outcome: end.outcome, isMessageWaiting });
  if (status === 'refused') throw new Error(`could not end ${run.run_id}: ${job.job_id} is ${job.status}`);
  return releaseJob(tx, run.job_id, { status, isDue: isMessageWaiting });
}
