import { eyesOn, intendAnswer } from '../../effects/answer.ts';
import { findMessageBySource } from '../../store/tables/jobs/messages.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { isAccepted } from '../instructions/trigger.ts';
import { isMention } from '../mentions/handle-mention.ts';
import { type CommentPayload, type CommonFields, fieldsOf, type PullRequestPayload } from '../payload.ts';
import { ifFromFork, mayConcernJob, mayMention, unlessByPerson } from '../worth-storing.ts';
import { acceptReview } from './review.ts';

interface Fields extends CommonFields {
  pull_request: PullRequestPayload;
  comment: CommentPayload;
}

/** Reacts with eyes at once. The review becomes a message later, unless its own delivery has done that. A stop is processed at once. */
const reviewCommentCreated: EventHandler<Fields> = async (context) => {
  const { database, deliveryId, fields, receivedAt, signal, timing } = context;
  const { comment } = fields;
  if (!comment.user) return 'the delivery has no author';
  const readComment = await context.commentReader();
  const read = await readComment(comment.body ?? '');
  const reviewAt = new Date(receivedAt.getTime() + timing.deliveries.remarkMs);
  if (reviewAt <= new Date() || read.kind === 'stop') return acceptReview(context);

  const pullRequest = await findJobPullRequest(context);
  if (!pullRequest) {
    const project = await context.findProject();
    return project && isMention(read, project) ? reviewAt : ignoredBecause.noJob;
  }
  const { project, job } = pullRequest;
  const { job_id: jobId } = job;
  const sourceKey = `review:${comment.pull_request_review_id}`;
  if (await findMessageBySource(database, { jobId, sourceKey })) return 'the review is already a message';
  const { login, id: userId } = comment.user;
  if (!(await context.isTrusted({ project, person: { login, userId }, signal }))) return ignoredBecause.noWriteAccess;

  const isInstruction = read.kind === 'instruction' && isAccepted(read, project) && job.status !== 'archived';
  if (!isInstruction) return reviewAt;
  const asker = { author: login, source: 'review' as const, deliveryId };
  return async (store) => {
    await intendAnswer(store, { jobId, asker, ...eyesOn('review_comment', comment.id) });
    return reviewAt;
  };
};

export const reviewComment = defineEvent({
  name: 'pull_request_review_comment',
  fields: { repository: fieldsOf.repository, pull_request: fieldsOf.pull_request, comment: fieldsOf.comment },
  handle: { created: reviewCommentCreated },
  findDropReason: (fields) =>
    (fields.comment.body?.includes('@') ? undefined : ifFromFork(fields, fields.pull_request)) ??
    unlessByPerson(fields),
  isWanted: async (database, fields) =>
    (await mayConcernJob(database, fields)) || mayMention(database, fields, fields.comment.body),
  findReviewId: ({ comment }) => comment.pull_request_review_id,
});
