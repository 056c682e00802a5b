import { findMessageBySource } from '../../store/tables/messages.ts';
import { readComment } from '../../text/read-comment.ts';
import type { EventHandler } from '../event-handler.ts';
import { findOwnPullRequest } from '../find-job-pull-request.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { composeReview } from '../instructions/compose-review.ts';
import { isTaken } from '../instructions/is-taken.ts';
import { readReview } from '../instructions/read-review.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';

/**
 * GitHub tells of a review before its last remark is there, so it is left alone for as long as this.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review
 */
const patienceMs = 3_000;

/** A review, which is taken once it is whole; one that says stop is taken at once. */
export const reviewSubmitted: EventHandler = async (parts, delivery) => {
  const { fields, receivedAt, signal } = delivery;
  const wholeAt = new Date(receivedAt.getTime() + patienceMs);
  const { slug } = await parts.github.fetchApp(signal);
  const isWaitedFor = wholeAt > new Date() && readComment(fields.review?.body ?? '', slug).kind !== 'stop';
  return isWaitedFor ? async () => wholeAt : takeReview(parts, delivery);
};

/**
 * A review with all its remarks is one message, whichever of its deliveries comes first: that of the review, or that of one remark or
 * reply, each of which GitHub makes a review of its own.
 */
export const takeReview: EventHandler = async (parts, { deliveryId, fields, signal }) => {
  const { repository, pull_request: told } = fields;
  const reviewId = fields.review?.id ?? fields.comment?.pull_request_review_id;
  const author = fields.review?.user ?? fields.comment?.user;
  if (!repository || !told || !reviewId || !author) return 'the delivery names no review';
  const { number } = told;
  const person = { login: author.login, userId: author.id };
  const own = await findOwnPullRequest(parts, { repositoryId: repository.id, number, head: told.head }, signal);
  if (!own) return 'not one of our pull requests';
  const sourceKey = `review:${reviewId}`;
  const known = await findMessageBySource(parts.database, { jobId: own.job.job_id, sourceKey });
  if (known) return 'its review is a message already';
  if (!(await parts.mayPrompt(own.project, person, signal))) return 'written by somebody without write access';

  const review = await readReview(parts, { project: own.project, fields, reviewId, number, signal });
  if (review === undefined) return 'the review is gone';
  const { slug } = await parts.github.fetchApp(signal);
  const composed = composeReview(review, {
    read: (text) => readComment(text, slug),
    isTaken: (read) => isTaken(read, own.project),
  });
  if (composed.kind === 'nothing') return 'says nothing to us';
  const comments = composed.commentIds.map((commentId) => ({ on: 'review_comment' as const, commentId }));
  const asked = { source: 'review' as const, person, deliveryId };
  const written = { ...asked, sourceKey, writtenAt: review.writtenAt, pullRequest: number, comments };
  if (composed.kind === 'stop') return (store) => stopByComment(store, own, written);
  const { prompt, body, threads } = composed;
  return (store) =>
    acceptInstruction(store, own, {
      ...written,
      prompt,
      review: { body, threads },
    });
};
