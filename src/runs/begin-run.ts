import { failRun } from '../jobs/fail-run.ts';
import { type Job, lockJob, releaseJob } from '../store/jobs.ts';
import { inLease, type Lease } from '../store/lease.ts';
import { countWaitingMessages, takeMessages } from '../store/messages.ts';
import { countTakeover, findOpenRun, insertRun, type Run } from '../store/runs.ts';
import type { Store } from '../store/store.ts';

/** After this many takeovers and faults without a new answer the run is what kills its workers. */
const maxTakeovers = 3;

/**
 * The run that a claimed job is about: the one that is open, taken over where it stopped, or a new one that takes the messages
 * waiting now. Undefined when there is nothing to work on: the lease is given back then.
 */
export function beginRun({ database, queue }: Store, lease: Lease): Promise<{ job: Job; run: Run } | undefined> {
  return inLease(database, lease, async (tx) => {
    const job = await lockJob(tx, lease.jobId);
    if (!job) throw new Error(`there is no job ${lease.jobId}`);
    const open = await findOpenRun(tx, lease.jobId);
    if (open && lease.isTakeover) {
      if ((await countTakeover(tx, open.run_id)) < maxTakeovers) return { job, run: open };
      await failRun({ tx, queue }, open, crashed);
      return undefined;
    }
    if (open) return { job, run: open };
    if ((await countWaitingMessages(tx, lease.jobId)) === 0) {
      await releaseJob(tx, lease.jobId, { status: job.status, isDue: false });
      return undefined;
    }
    const run = await insertRun(tx, lease.jobId);
    await takeMessages(tx, { jobId: lease.jobId, runId: run.run_id, turnIndex: 0 });
    return { job, run };
  });
}

const crashed = {
  code: 'crashed',
  sentence: `The run was given up: ${maxTakeovers} times in a row the work on it broke off without getting any further, the last time with the process that did it.`,
};
