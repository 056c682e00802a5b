import { acceptMessage } from '../../jobs/add-message.ts';
import type { ProjectLimits } from '../../jobs/count-against-limits.ts';
import type { StoreTx } from '../../store/store.ts';
import type { MessageContext, NamedPullRequest } from '../../store/tables/columns.ts';
import { lockProject } from '../../store/tables/repositories/projects.ts';
import type { BudgetState } from '../../store/tables/usage.ts';
import { ignoredBecause } from '../delivery-context.ts';
import type { JobPullRequest } from '../find-job-pull-request.ts';
import { commentOn, explainArchived, lockTriggeredJob, reactWithEyes, type Trigger } from './trigger.ts';

interface Instruction {
  prompt: string;
  /** Pull requests that it names. */
  changes?: readonly NamedPullRequest[];
  context?: MessageContext;
}

/** Makes an instruction a message and reacts with eyes, or comments why it is not accepted. Idempotent by `sourceKey`. */
export async function acceptInstruction(
  store: StoreTx,
  pullRequest: JobPullRequest,
  trigger: Trigger,
  instruction: Instruction,
  { limits }: { limits: ProjectLimits },
): Promise<string | undefined> {
  if (!(await lockProject(store.tx, pullRequest.project.project_id))) return ignoredBecause.noProject;
  const job = await lockTriggeredJob(store, pullRequest);
  const { job_id: jobId } = job;
  const { source, sourceKey, person, deliveryId, writtenAt } = trigger;
  // Whole seconds: an instruction of the same second may be newer than the stop.
  if (job.stopped_at && job.stopped_at > writtenAt) return 'stopped after it was written';
  const origin = { source, sourceKey, author: person.login, deliveryId, writtenAt };
  const context = { ...instruction.context, person };
  const result = await acceptMessage(store, job, { jobId, ...origin, ...instruction, context }, limits);
  const refuse = (why: string, body: string) =>
    commentOn(store, pullRequest, trigger, { key: `${sourceKey}:${why}`, body });
  switch (result.kind) {
    case 'archived':
      await explainArchived(store, pullRequest, trigger, job);
      return 'the job is archived';
    case 'too_many_waiting':
      await refuse('too-many', tooManyWaiting);
      return 'too many instructions wait';
    case 'budget_exhausted':
      await refuse('budget', describeBudget(result.budget));
      return 'the project has used up its tokens of this month';
    case 'rate_limited':
      return 'the project has used up its requests of this hour';
  }
  const { message_id: messageId } = result.message;
  await reactWithEyes(store, trigger, { jobId, messageId });
  return undefined;
}

const tooManyWaiting =
  'Twenty instructions are already waiting, so this one was not accepted. Post it again when some of them are answered.';

export const describeBudget = ({ resetsAt }: BudgetState) =>
  `This repository has used up its budget of tokens for this month, so this instruction was not accepted. Post it again on ${formatDay(resetsAt)} (UTC) or later, or ask the operator of Pagewright for a larger budget.`;

const formatDay = (moment: Date) => moment.toISOString().slice(0, 10);
