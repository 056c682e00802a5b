import { eyesOn } from '../answers/answer.ts';
import { intendAnswer } from '../answers/intend-answer.ts';
import { stopRun } from '../jobs/cancel-job.ts';
import { tellDropped } from '../jobs/tell-failure.ts';
import { lockJob, updateJob } from '../store/jobs.ts';
import { listMessages } from '../store/messages.ts';
import type { StoreTx } from '../store/store.ts';
import { type Instruction, tellArchived } from './accept-instruction.ts';
import type { OwnPullRequest } from './find-own-pull-request.ts';
import { recordPullRequest } from './record-pull-request.ts';

/**
 * Stops the job's run because a person with permission said so; the run itself answers. What they had written before is not started any
 * more either, whenever it comes; what was asked for after it goes on, however late the stop comes. Idempotent.
 */
export async function stopByComment(
  store: StoreTx,
  { job: { job_id: jobId } }: OwnPullRequest,
  {
    sourceKey,
    writtenAt,
    pullRequest,
    comments,
  }: Pick<Instruction, 'sourceKey' | 'writtenAt' | 'pullRequest' | 'comments'>,
): Promise<string | undefined> {
  const job = await lockJob(store.tx, jobId);
  if (!job) return 'the job is gone';
  await recordPullRequest(store.tx, job, pullRequest);
  if (job.stopped_at && job.stopped_at >= writtenAt) return 'stopped already';
  await updateJob(store.tx, jobId, { stopped_at: writtenAt });
  if (await isOvertaken(store, jobId, writtenAt)) return 'what is worked on was asked for after it';
  if (job.status === 'archived') {
    await tellArchived(store, { jobId, pullRequest });
    return 'the job is archived';
  }
  for (const { on, commentId } of comments) await intendAnswer(store, { jobId, ...eyesOn(on, commentId) });

  const stopped = await stopRun(store, jobId);
  if (stopped.kind === 'publishing') await tellDropped(store, stopped.run);
  if (stopped.kind === 'idle') {
    const body = 'Nothing is being worked on here, so there is nothing to stop.';
    await intendAnswer(store, { jobId, key: `${sourceKey}:idle`, answer: { kind: 'comment', pullRequest, body } });
  }
  return undefined;
}

/** Whether all that is open was written after that moment. */
async function isOvertaken({ tx }: StoreTx, jobId: string, moment: Date): Promise<boolean> {
  const messages = await listMessages(tx, jobId);
  const open = messages.filter(({ state }) => state === 'waiting' || state === 'taken');
  return open.length > 0 && open.every(({ written_at }) => written_at > moment);
}
