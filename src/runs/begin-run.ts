import { failRun } from '../jobs/end-run.ts';
import { startRun } from '../jobs/job-events.ts';
import { sendTogether } from '../store/postgres/send-together.ts';
import { inLease, type Lease } from '../store/schedule/lease.ts';
import type { Store } from '../store/store.ts';
import { type Job, releaseJob } from '../store/tables/jobs/jobs.ts';
import { countWaitingMessages, takeMessages } from '../store/tables/jobs/messages.ts';
import { countInterruption, findOpenRun, type Run } from '../store/tables/jobs/runs.ts';
import { maxInterruptions } from './classify-error.ts';
import { crashed } from './failures.ts';

/** `given_up`: the run ended with this code. `nothing`: no message waits. Both release the lease. */
type Begun = { kind: 'begun'; job: Job; run: Run } | { kind: 'given_up'; run: Run; code: string } | { kind: 'nothing' };

/** Continues the open run of a claimed job, or starts one with the waiting messages. A run in a crash loop ends. */
export function beginRun({ database, queue }: Store, lease: Lease): Promise<Begun> {
  return inLease(database, lease, async (tx, job) => {
    const [open, waiting] = await sendTogether(tx, (tx) => [
      findOpenRun(tx, lease.jobId),
      countWaitingMessages(tx, lease.jobId),
    ]);
    if (open && lease.isTakeover && (await countInterruption(tx, open.run_id)) >= maxInterruptions) {
      const end = crashed(maxInterruptions, open.run_id);
      await failRun({ tx, queue }, open, end);
      return { kind: 'given_up', run: open, code: end.code };
    }
    if (open) return { kind: 'begun', job, run: open };
    if (waiting === 0) {
      await releaseJob(tx, lease.jobId, { status: job.status, isDue: false });
      return { kind: 'nothing' };
    }
    const run = await startRun(tx, lease.jobId);
    await takeMessages(tx, { jobId: lease.jobId, runId: run.run_id, turnIndex: 0 });
    return { kind: 'begun', job, run };
  });
}
