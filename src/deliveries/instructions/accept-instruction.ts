import { eyesOn } from '../../effects/answer.ts';
import { intendAnswer } from '../../effects/intend-answer.ts';
import { acceptMessage } from '../../jobs/add-message.ts';
import type { StoreTx } from '../../store/store.ts';
import type { NewMessage } from '../../store/tables/messages.ts';
import { lockProject } from '../../store/tables/projects.ts';
import type { JobPullRequest } from '../find-job-pull-request.ts';
import { commentOn, lockTriggeredJob, type Trigger, tellArchived } from './trigger.ts';

export interface Instruction {
  prompt: string;
  review?: NonNullable<NewMessage['review']>;
}

/**
 * Makes an instruction a message of the job and reacts to it with eyes, or comments why it is not accepted. Call it in the transaction of
 * the delivery. Idempotent by the trigger's `sourceKey`.
 */
export async function acceptInstruction(
  store: StoreTx,
  pullRequest: JobPullRequest,
  trigger: Trigger,
  instruction: Instruction,
): Promise<string | undefined> {
  if (!(await lockProject(store.tx, pullRequest.project.project_id))) return 'project_gone';
  const job = await lockTriggeredJob(store, pullRequest);
  const { job_id: jobId } = job;
  const { source, sourceKey, person, deliveryId, writtenAt } = trigger;
  // GitHub's times have whole seconds: an instruction of the same second as the stop may be newer.
  if (job.stopped_at && job.stopped_at > writtenAt) return 'somebody said stop after it';
  const origin = { source, sourceKey, person, author: person.login, deliveryId, writtenAt };
  const result = await acceptMessage(store, job, { jobId, ...origin, ...instruction }, { rateLimit: 0 });
  if (result.kind === 'archived') {
    await tellArchived(store, pullRequest, trigger, job);
    return 'the job is archived';
  }
  if (result.kind === 'too_many_waiting')
    await commentOn(store, pullRequest, trigger, { key: `${sourceKey}:too-many`, body: tooManyWaiting });
  if (result.kind !== 'accepted') return result.kind;
  const { message_id: messageId } = result.message;
  for (const { on, commentId } of trigger.comments)
    await intendAnswer(store, { jobId, messageId, ...eyesOn(on, commentId) });
  return undefined;
}

const tooManyWaiting =
  'Twenty instructions are already waiting on this pull request, so this one was not accepted. Post it again when some of them are answered.';
