import { notFound, validationFailed } from '../api/api-error.ts';
import { cutHunk } from '../git/cut-hunk.ts';
import { diffCommits, type FileChange } from '../git/diff-commits.ts';
import { findMergeBase } from '../git/read-git.ts';
import { presentReviewInEvent } from '../json/present-comment.ts';
import { presentSimplePullRequest } from '../json/present-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest, Review, ReviewComment, World } from '../state/world.ts';
import { refuseLocked } from './comments.ts';
import { refuseBadComment } from './limits.ts';
import { announceReviewComment } from './review-comments.ts';

export interface NewReview {
  author: Account;
  body?: string;
  state?: Review['state'];
  comments?: NewReviewComment[];
}

export interface NewReviewComment {
  path: string;
  /** Null: about the whole file. */
  line: number | null;
  /** The first of several lines; `line` is the last. */
  startLine?: number | null;
  side?: 'LEFT' | 'RIGHT';
  body: string;
}

/** One review with its comments: one `pull_request_review` event and one `pull_request_review_comment` event for each. */
export async function submitReview(pullRequest: PullRequest, newReview: NewReview): Promise<Review> {
  const { repository } = pullRequest;
  const { author, body = '', state = 'COMMENTED', comments = [] } = newReview;
  refuseLocked(pullRequest, author);
  const mergeBase = await findMergeBase(repository.directory, pullRequest.baseSha, pullRequest.headSha);
  const files = await diffCommits(repository.directory, mergeBase ?? pullRequest.baseSha, pullRequest.headSha);
  const prepared = comments.map((comment) => prepareComment(comment, files));
  const review = addReview(repository.world, pullRequest, { author, body, state });
  const added = prepared.map((comment) => addReviewComment(repository.world, pullRequest, review, comment));
  announceReview(pullRequest, review, added);
  return review;
}

/** Only lines of the diff take comments: https://docs.github.com/en/rest/pulls/comments#create-a-review-comment-for-a-pull-request */
function prepareComment({ path, line, startLine = null, side = 'RIGHT', body }: NewReviewComment, files: FileChange[]) {
  const resource = 'PullRequestReviewComment';
  refuseBadComment(body, resource);
  const file = files.find((candidate) => candidate.path === path);
  if (!file) throw validationFailed({ resource, code: 'invalid', field: 'path' });
  const patch = file.patch ?? '';
  const diffHunk = line === null ? patch : cutHunk(patch, line, side);
  if (diffHunk === undefined) {
    const field = 'pull_request_review_thread.line';
    throw validationFailed({ resource, code: 'custom', field, message: `${field} must be part of the diff` });
  }
  return { path, line, startLine, side, body, diffHunk, inReplyToId: null };
}

/** A reply to a thread; GitHub wraps it in an empty review. */
export function replyToReviewComment(
  pullRequest: PullRequest,
  { commentId, body, author }: { commentId: number; body: string; author: Account },
): ReviewComment {
  refuseLocked(pullRequest, author);
  const root = pullRequest.reviewComments.find(({ id }) => id === commentId);
  if (!root) throw notFound();
  const resource = 'PullRequestReviewComment';
  // "Replies to replies are not supported": https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment
  if (root.inReplyToId !== null) throw validationFailed({ resource, code: 'invalid', field: 'in_reply_to' });
  refuseBadComment(body, resource);
  const review = addReview(pullRequest.repository.world, pullRequest, { author, body: '', state: 'COMMENTED' });
  const { path, line, startLine, side, diffHunk } = root;
  const reply = addReviewComment(pullRequest.repository.world, pullRequest, review, {
    path,
    line,
    startLine,
    side,
    diffHunk,
    body,
    inReplyToId: root.id,
  });
  announceReview(pullRequest, review, [reply]);
  return reply;
}

export function editReview(
  { pullRequest, review }: { pullRequest: PullRequest; review: Review },
  body: string,
  sender: Account,
): void {
  const from = review.body;
  review.body = body;
  sendReview(pullRequest, review, {
    action: 'edited',
    sender,
    extra: { changes: { body: { from } } },
  });
}

export function dismissReview(
  { pullRequest, review }: { pullRequest: PullRequest; review: Review },
  sender: Account,
): void {
  review.state = 'DISMISSED';
  sendReview(pullRequest, review, { action: 'dismissed', sender });
}

function addReview(world: World, pullRequest: PullRequest, fields: Pick<Review, 'author' | 'body' | 'state'>): Review {
  const submittedAt = world.timestamp();
  const review: Review = { ...fields, id: world.nextId(), commitId: pullRequest.headSha, submittedAt };
  pullRequest.reviews.push(review);
  pullRequest.updatedAt = submittedAt;
  return review;
}

function addReviewComment(
  world: World,
  pullRequest: PullRequest,
  review: Review,
  fields: Pick<ReviewComment, 'path' | 'line' | 'startLine' | 'side' | 'body' | 'diffHunk' | 'inReplyToId'>,
): ReviewComment {
  const comment: ReviewComment = {
    ...fields,
    id: world.nextId(),
    reviewId: review.id,
    author: review.author,
    byApp: review.author.id === world.app?.bot.id,
    commitId: review.commitId,
    createdAt: review.submittedAt,
    updatedAt: review.submittedAt,
    reactions: [],
  };
  pullRequest.reviewComments.push(comment);
  return comment;
}

function announceReview(pullRequest: PullRequest, review: Review, comments: ReviewComment[]): void {
  const sender = review.author;
  sendReview(pullRequest, review, { action: 'submitted', sender });
  for (const comment of comments) {
    announceReviewComment({ pullRequest, comment }, { action: 'created', sender });
  }
}

function sendReview(
  pullRequest: PullRequest,
  review: Review,
  { action, sender, extra = {} }: { action: string; sender: Account; extra?: Record<string, unknown> },
): void {
  const { repository } = pullRequest;
  repository.world.send({
    name: 'pull_request_review',
    action,
    repository,
    sender,
    payload: {
      ...extra,
      review: presentReviewInEvent(pullRequest, review),
      pull_request: presentSimplePullRequest(pullRequest),
    },
  });
}
