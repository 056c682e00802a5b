import { eyesOn, intendAnswer } from '../../effects/answer.ts';
import { findMessageBySource } from '../../store/tables/jobs/messages.ts';
import { storeReview } from '../../store/tables/jobs/verdicts.ts';
import type { NewRow } from '../../store/tables/schema.ts';
import type { ReadComment } from '../../text/read-visible.ts';
import { ignoredBecause } from '../delivery-context.ts';
import { findJobPullRequest } from '../find-job-pull-request.ts';
import { alsoApply, defineEvent, type EventHandler, type FieldsOf } from '../github-event.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { admit } from '../instructions/admit.ts';
import { composeReview } from '../instructions/compose-review.ts';
import { readReview } from '../instructions/read-review.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';
import { isAccepted, type Trigger } from '../instructions/trigger.ts';
import { handleMention, isMention } from '../mentions/handle-mention.ts';
import { fieldsOf, type Written } from '../payload.ts';
import { ifFromFork, mayConcernJob, mayMention, unlessByPerson } from '../worth-storing.ts';

const reviewSubmitted: EventHandler<Written> = async (context) => {
  const completeAt = new Date(context.receivedAt.getTime() + context.timing.deliveries.reviewMs);
  const readComment = await context.commentReader();
  const isStop = (await readComment(context.fields.review?.body ?? '')).kind === 'stop';
  return isStop || completeAt <= new Date() ? acceptReview(context) : completeAt;
};

/**
 * Makes one message of a review and its comments, for the first of their deliveries. To GitHub, every single reply is a review. On a pull
 * request of somebody else, it is one mention of the App.
 */
const acceptReview: EventHandler<Written> = async (context) => {
  const { database, deliveryId, fields } = context;
  const reviewId = fields.review?.id ?? fields.comment?.pull_request_review_id;
  const author = fields.review?.user ?? fields.comment?.user;
  if (!reviewId || !author) return 'the delivery has no review';
  const person = { login: author.login, userId: author.id };
  const pullRequest = await findJobPullRequest(context);
  const project = pullRequest?.project ?? (await context.findProject());
  const number = pullRequest?.number ?? fields.pull_request?.number;
  if (!project || number === undefined) return ignoredBecause.noJob;
  const sourceKey = `review:${reviewId}`;
  const jobId = pullRequest?.job.job_id;
  if (jobId !== undefined && (await findMessageBySource(database, { jobId, sourceKey })))
    return 'the review is already a message';
  const readComment = await context.commentReader();
  const own = await readComment((fields.comment ?? fields.review)?.body ?? '');
  if (!pullRequest && !isMention(own, project)) return ignoredBecause.noJob;
  const held = await admit(context, { project, person, isStop: own.kind === 'stop' });
  if (held) return held;

  const read = await readReview(context, { project, number }, reviewId);
  if (!read) return 'the review is gone';
  const reads = new Map<string, ReadComment>();
  for (const text of [read.body, ...read.remarks.map((remark) => remark.text)])
    reads.set(text, await readComment(text));
  const composed = composeReview(read, {
    read: (text) => reads.get(text) ?? { kind: 'nothing' },
    isAccepted: (comment) => (pullRequest ? isAccepted : isMention)(comment, project),
  });
  if (composed.kind === 'nothing') return 'no instruction for this App';
  const trigger: Trigger = {
    source: pullRequest ? 'review' : 'comment',
    sourceKey,
    person,
    deliveryId,
    writtenAt: read.writtenAt,
    comments: composed.commentIds.map((commentId) => ({ on: 'review_comment', commentId })),
  };
  if (!pullRequest) {
    const asked = composed.kind === 'stop' ? composed : { ...composed, text: composed.prompt, isMention: true };
    return handleMention(context, { project, number, isPullRequest: true, read: asked, trigger });
  }
  if (composed.kind === 'stop') return (store) => stopByComment(store, pullRequest, trigger);
  const { prompt, body, threads } = composed;
  const { project_id: projectId } = project;
  const changes = await context.changes.readAtOnce(prompt, { projectId, signal: context.signal });
  return (store) =>
    acceptInstruction(
      store,
      pullRequest,
      trigger,
      { prompt, changes, context: { review: { body, threads } } },
      context,
    );
};

const states = new Map<string, NewRow<'pull_request_reviews'>['state']>([
  ['approved', 'approved'],
  ['changes_requested', 'changes_requested'],
  ['dismissed', 'dismissed'],
]);

/** Others may review a pull request, too: https://docs.github.com/en/graphql/reference/enums#commentauthorassociation */
const reviewers: readonly (string | null | undefined)[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** What the reviewer says of the pull request, for those who watch the list of jobs. */
const withVerdict = (handle: EventHandler<Written>) =>
  alsoApply(handle, async (context) => {
    const { state, user, submitted_at: submittedAt, author_association: association } = context.fields.review ?? {};
    const said = states.get(state ?? '');
    if (!said || !user || !submittedAt || !reviewers.includes(association)) return undefined;
    const found = await findJobPullRequest(context);
    if (!found) return undefined;
    const review = { job_id: found.job.job_id, user_id: user.id, login: user.login, state: said };
    return ({ tx }) => storeReview(tx, { ...review, submitted_at: submittedAt });
  });

export const review = defineEvent({
  name: 'pull_request_review',
  fields: { repository: fieldsOf.repository, pull_request: fieldsOf.pull_request, review: fieldsOf.review },
  handle: {
    submitted: withVerdict(reviewSubmitted),
    dismissed: withVerdict(async () => 'nothing to know of a pull request of a job'),
  },
  // A push dismisses approvals in the name of the App.
  findDropReason: (fields) =>
    (fields.review.body?.includes('@') ? undefined : ifFromFork(fields)) ??
    (fields.action === 'dismissed' ? undefined : unlessByPerson(fields)),
  isWanted: async (database, fields) =>
    (await mayConcernJob(database, fields)) || mayMention(database, fields, fields.review.body),
});

const remarkFields = {
  repository: fieldsOf.repository,
  pull_request: fieldsOf.pull_request,
  comment: fieldsOf.comment,
};

/** Reacts with eyes at once. The review becomes a message later, unless its own delivery has done that. A stop is processed at once. */
const reviewCommentCreated: EventHandler<FieldsOf<typeof remarkFields>> = async (context) => {
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
  fields: remarkFields,
  handle: { created: reviewCommentCreated },
  findDropReason: (fields) =>
    (fields.comment.body?.includes('@') ? undefined : ifFromFork(fields)) ?? unlessByPerson(fields),
  isWanted: async (database, fields) =>
    (await mayConcernJob(database, fields)) || mayMention(database, fields, fields.comment.body),
  findReviewId: ({ comment }) => comment.pull_request_review_id,
});
