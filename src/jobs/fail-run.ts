import type { Job } from '../store/jobs.ts';
import type { Run } from '../store/runs.ts';
import type { StoreTx } from '../store/store.ts';
import { endRun } from './end-run.ts';
import { tellFailure } from './tell-failure.ts';

/** Ends a run that published nothing, and has the people at its pull request told why. Runs in a transaction of the lease. */
export async function failRun(store: StoreTx, run: Run, why: { code: string; sentence: string }): Promise<Job> {
  await tellFailure(store, run, why.sentence);
  return endRun(store.tx, run, { outcome: 'failed', ...why });
}
