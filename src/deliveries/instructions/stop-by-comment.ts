import { eyesOn } from '../../effects/answer.ts';
import { intendAnswer } from '../../effects/intend-answer.ts';
import { stopRun } from '../../jobs/cancel-job.ts';
import { tellDropped } from '../../jobs/tell-failure.ts';
import type { StoreTx } from '../../store/store.ts';
import { lockJob, updateJob } from '../../store/tables/jobs.ts';
import type { OwnPullRequest } from '../find-job-pull-request.ts';
import { recordPullRequest } from '../record-pull-request.ts';
import { type Instruction, tellArchived, toAsker } from './accept-instruction.ts';

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
    ...asked
  }: Pick<Instruction, 'sourceKey' | 'writtenAt' | 'pullRequest' | 'comments' | 'person' | 'source' | 'deliveryId'>,
): Promise<string | undefined> {
  const asker = toAsker(asked);
  const job = await lockJob(store.tx, jobId);
  await recordPullRequest(store.tx, job, pullRequest);
  if (job.stopped_at && job.stopped_at >= writtenAt) return 'stopped already';
  await updateJob(store.tx, jobId, { stopped_at: writtenAt });
  if (job.status === 'archived') {
    await tellArchived(store, { jobId, pullRequest, asker });
    return 'the job is archived';
  }
  for (const { on, commentId } of comments) await intendAnswer(store, { jobId, asker, ...eyesOn(on, commentId) });

  const stopped = await stopRun(store, jobId, { saidAt: writtenAt });
  if (stopped.kind === 'publishing') await tellDropped(store, stopped.run);
  if (stopped.kind === 'idle' || stopped.kind === 'overtaken') {
    const key = `${sourceKey}:${stopped.kind}`;
    await intendAnswer(store, {
      jobId,
      asker,
      key,
      answer: { kind: 'comment', pullRequest, body: whyNot[stopped.kind] },
    });
  }
  return undefined;
}

const whyNot = {
  idle: 'Nothing is being worked on here, so there is nothing to stop.',
  overtaken:
    'A stop came late: what is being worked on here was asked for after that, so it goes on. Say stop again to stop it.',
};
