import { findMessageBySource } from '../../store/tables/messages.ts';
import { realTiming } from '../../timing.ts';
import type { EventHandler } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { composeReview } from '../instructions/compose-review.ts';
import { readReview } from '../instructions/read-review.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import { isAccepted, type Trigger } from '../instructions/trigger.ts';

/** A submitted review: a stop is processed at once, an instruction when the review is complete. */
export const reviewSubmitted: EventHandler = async (context) => {
  const wholeAt = new Date(context.receivedAt.getTime() + realTiming.deliveries.reviewMs);
  const isStop = context.readComment(context.fields.review?.body ?? '').kind === 'stop';
  return isStop || wholeAt <= new Date() ? takeReview(context) : async () => wholeAt;
};

/**
 * Makes one message of a review with all its comments, on whichever of its deliveries comes first: that of the review, or that of one of its
 * comments. GitHub makes a review of every single reply.
 */
export const takeReview: EventHandler = async (context) => {
  const { database, deliveryId, fields, signal } = context;
  const reviewId = fields.review?.id ?? fields.comment?.pull_request_review_id;
  const author = fields.review?.user ?? fields.comment?.user;
  if (!fields.repository || !fields.pull_request || !reviewId || !author) return 'the delivery names no review';
  const person = { login: author.login, userId: author.id };
  const pullRequest = await findJobPullRequest(context);
  if (!pullRequest) return 'not one of our pull requests';
  const { project, job } = pullRequest;
  const sourceKey = `review:${reviewId}`;
  if (await findMessageBySource(database, { jobId: job.job_id, sourceKey })) return 'its review is a message already';
  if (!(await context.mayPrompt(project, person, signal))) return 'written by somebody without write access';

  const review = await readReview(context, pullRequest, reviewId);
  if (!review) return 'the review is gone';
  const composed = composeReview(review, {
    read: context.readComment,
    isAccepted: (comment) => isAccepted(comment, project),
  });
  if (composed.kind === 'nothing') return 'says nothing to us';
  const trigger: Trigger = {
    source: 'review',
    sourceKey,
    person,
    deliveryId,
    writtenAt: review.writtenAt,
    comments: composed.commentIds.map((commentId) => ({ on: 'review_comment', commentId })),
  };
  if (composed.kind === 'stop') return (store) => stopByComment(store, pullRequest, trigger);
  const { prompt, body, threads } = composed;
  return (store) => acceptInstruction(store, pullRequest, trigger, { prompt, review: { body, threads } });
};
