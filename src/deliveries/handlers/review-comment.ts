import { eyesOn } from '../../effects/answer.ts';
import { intendAnswer } from '../../effects/intend-answer.ts';
import { findMessageBySource } from '../../store/tables/messages.ts';
import { readComment } from '../../text/read-comment.ts';
import type { EventHandler } from '../event-handler.ts';
import { findOwnPullRequest } from '../find-job-pull-request.ts';
import { isTaken } from '../instructions/is-taken.ts';
import { takeReview } from './review.ts';

/** How long a remark waits for the delivery of its review, which brings all remarks at once. */
const reviewPatienceMs = 6_000;

/**
 * One remark of a review, or a reply. It gets its eyes at once; later the review that it is part of becomes a message, unless the review's
 * own delivery has done that meanwhile. One that says stop does not wait.
 */
export const reviewCommentCreated: EventHandler = async (parts, delivery) => {
  const { deliveryId, fields, receivedAt, signal } = delivery;
  const { repository, pull_request: told, comment } = fields;
  if (!repository || !told || !comment?.user) return 'the delivery names no comment';
  const { slug } = await parts.github.fetchApp(signal);
  const read = readComment(comment.body ?? '', slug);
  const reviewAt = new Date(receivedAt.getTime() + reviewPatienceMs);
  if (reviewAt <= new Date() || read.kind === 'stop') return takeReview(parts, delivery);

  const place = { repositoryId: repository.id, number: told.number, head: told.head };
  const own = await findOwnPullRequest(parts, place, signal);
  if (!own) return 'not one of our pull requests';
  const { job_id: jobId } = own.job;
  const sourceKey = `review:${comment.pull_request_review_id}`;
  if (await findMessageBySource(parts.database, { jobId, sourceKey })) return 'its review is a message already';
  const { login, id: userId } = comment.user;
  if (!(await parts.mayPrompt(own.project, { login, userId }, signal)))
    return 'written by somebody without write access';
  const asker = { author: login, source: 'review' as const, deliveryId };
  return async (store) => {
    const isOpen = own.job.status !== 'archived';
    if (isOpen && read.kind === 'instruction' && isTaken(read, own.project))
      await intendAnswer(store, { jobId, asker, ...eyesOn('review_comment', comment.id) });
    return reviewAt;
  };
};
