import { stoppedWhilePublishing } from '../../jobs/answer-run.ts';
import { type StopResult, stopRun } from '../../jobs/cancel-job.ts';
import type { StoreTx } from '../../store/store.ts';
import { updateJob } from '../../store/tables/jobs/jobs.ts';
import type { JobPullRequest } from '../find-job-pull-request.ts';
import { commentOn, explainArchived, lockTriggeredJob, reactWithEyes, type Trigger, toAsker } from './trigger.ts';

/** Stops the run and drops the instructions written before the stop, even if they arrive later. Keeps those written after it. Idempotent. */
export async function stopByComment(
  store: StoreTx,
  pullRequest: JobPullRequest,
  trigger: Trigger,
): Promise<string | undefined> {
  const { writtenAt, sourceKey } = trigger;
  const running = await lockTriggeredJob(store, pullRequest);
  const { job_id: jobId } = running;
  if (running.stopped_at && running.stopped_at >= writtenAt) return 'already stopped';
  const job = await updateJob(store.tx, jobId, { stopped_at: writtenAt });
  if (job.status === 'archived') {
    await explainArchived(store, pullRequest, trigger, job);
    return 'the job is archived';
  }
  await reactWithEyes(store, trigger, { jobId, asker: toAsker(trigger) });

  const stopped = await stopRun(store, job, { writtenAt });
  const isAnswered = stopped.kind === 'publishing' && stopped.dropped.length > 0;
  const body = isAnswered ? undefined : answers[stopped.kind];
  if (body !== undefined) await commentOn(store, pullRequest, trigger, { key: `${sourceKey}:${stopped.kind}`, body });
  return undefined;
}

/** What else a stop causes, the end of its run and the dropped instructions, has an answer of its own. */
const answers: Partial<Record<StopResult['kind'], string>> = {
  publishing: stoppedWhilePublishing.sentence,
  idle: 'There is no work in progress to stop.',
  overtaken:
    'This stop arrived late: the current work was requested after it, so the work continues. To stop it, too, post the same comment again.',
};
