import { maxPromptLength } from '../../jobs/add-message.ts';
import { pause } from '../../pause.ts';
import { isOlderCommentStored } from '../../store/tables/deliveries.ts';
import { bound } from '../../text/bound.ts';
import type { DeliveryContext, EventHandler } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import { isAccepted, type Trigger } from '../instructions/trigger.ts';

export const commentCreated: EventHandler = async (context) => {
  const { deliveryId, fields, signal } = context;
  const { issue, comment } = fields;
  if (!issue || !comment?.user) return 'the delivery has no comment';
  const project = await context.findProject();
  if (!project) return 'the repository is not a project';
  const readComment = await context.commentReader();
  const read = readComment(comment.body ?? '');
  if (read.kind === 'nothing') return 'no instruction for this App';
  if (!isAccepted(read, project)) return 'the repository’s settings ignore this comment';
  const person = { login: comment.user.login, userId: comment.user.id };
  // Before findJobPullRequest, which may send a request to GitHub: strangers must not be able to cause one per comment.
  if (!(await context.mayPrompt(project, person, signal))) return 'written by somebody without write access';
  const pullRequest = await findJobPullRequest(context);
  if (!pullRequest) return 'not a pull request of a job';

  const trigger: Trigger = {
    source: 'comment',
    sourceKey: `comment:${comment.id}`,
    person,
    deliveryId,
    writtenAt: new Date(comment.created_at),
    comments: [{ on: 'comment', commentId: comment.id }],
  };
  if (read.kind === 'stop') return (store) => stopByComment(store, pullRequest, trigger);
  const place = { repositoryId: project.repository_id, number: issue.number, commentId: comment.id };
  const again = await letOlderGoFirst(context, place);
  if (again) return async () => again;
  return (store) => acceptInstruction(store, pullRequest, trigger, { prompt: bound(read.text, maxPromptLength) });
};

/** Waits for older comments of the conversation. Returns when to process this one again if one of them is still pending. */
async function letOlderGoFirst(
  { database, receivedAt, signal, timing }: DeliveryContext,
  place: { repositoryId: number; number: number; commentId: number },
): Promise<Date | undefined> {
  const isYoung = Date.now() - receivedAt.getTime() < timing.deliveries.youngCommentMs;
  const until = Date.now() + (isYoung ? timing.deliveries.olderCommentMs : 0);
  while (await isOlderCommentStored(database, place)) {
    if (Date.now() >= until)
      return new Date(Date.now() + (isYoung ? timing.deliveries.olderCommentMs : timing.deliveries.commentRetryMs));
    await pause(timing.deliveries.lookForOlderEveryMs, signal);
  }
  return undefined;
}
