import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs.ts';
import { listUnansweredMessages, releaseMessages } from '../store/tables/messages.ts';
import { findRun, type Run } from '../store/tables/runs.ts';
import { endRun } from './end-run.ts';
import { tellFailure } from './tell-failure.ts';

/**
 * Ends a run that published nothing, and has the people at its pull request told why. What the model never answered of what it was handed
 * on the way is for the next run. Runs in a transaction of the lease.
 */
export async function failRun(store: StoreTx, run: Run, why: { code: string; sentence: string }): Promise<Job> {
  const { tx } = store;
  // A stop was meant for all that the run still has.
  const isStopped = (await findRun(tx, run.run_id))?.stop_requested;
  if (!isStopped) await releaseMessages(tx, await listUnansweredMessages(tx, run.run_id));
  await tellFailure(store, run, why.sentence);
  return endRun(tx, run, { outcome: 'failed', ...why });
}
