import { notFound, validationFailed } from './api-error.ts';
import { refuseLocked } from './comments.ts';
import { diffCommits } from './git/diff-commits.ts';
import { findMergeBase } from './git/read-git.ts';
import { presentReviewComment, presentReviewInEvent } from './json/present-comment.ts';
import { presentSimplePullRequest } from './json/present-pull-request.ts';
import { refuseBadComment } from './pulls/limits.ts';
import type { Account, PullRequest, Repository, Review, ReviewComment, World } from './world.ts';

export interface NewReview {
  author: Account;
  body?: string;
  state?: Review['state'];
  /** A `line` of null speaks about the whole file. */
  comments?: { path: string; line: number | null; side?: 'LEFT' | 'RIGHT'; body: string }[];
}

/** One review with its comments: one `pull_request_review` event and one `pull_request_review_comment` event for each. */
export async function submitReview(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
  given: NewReview,
): Promise<Review> {
  const { author, body = '', state = 'COMMENTED', comments = [] } = given;
  refuseLocked(repository, pullRequest, author);
  const mergeBase = await findMergeBase(repository.directory, pullRequest.baseSha, pullRequest.headSha);
  const files = await diffCommits(repository.directory, mergeBase ?? pullRequest.baseSha, pullRequest.headSha);
  const resource = 'PullRequestReviewComment';
  for (const { path, body: text } of comments) {
    refuseBadComment(text, resource);
    if (!files.some((file) => file.path === path)) throw validationFailed({ resource, code: 'invalid', field: 'path' });
  }
  const review = addReview(world, pullRequest, { author, body, state });
  const added = comments.map(({ path, line, side = 'RIGHT', body: text }) => {
    const patch = files.find((file) => file.path === path)?.patch ?? '';
    return addReviewComment(world, pullRequest, review, {
      path,
      line,
      side,
      body: text,
      diffHunk: patch,
      inReplyToId: null,
    });
  });
  announceReview(world, repository, pullRequest, review, added);
  return review;
}

/** A reply to a thread; GitHub wraps it in a review of its own that says nothing. */
export function replyToReviewComment(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
  { commentId, body, author }: { commentId: number; body: string; author: Account },
): ReviewComment {
  refuseLocked(repository, pullRequest, author);
  const root = pullRequest.reviewComments.find(({ id }) => id === commentId);
  if (!root) throw notFound();
  const resource = 'PullRequestReviewComment';
  // "Replies to replies are not supported": https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment
  if (root.inReplyToId !== null) throw validationFailed({ resource, code: 'invalid', field: 'in_reply_to' });
  refuseBadComment(body, resource);
  const review = addReview(world, pullRequest, { author, body: '', state: 'COMMENTED' });
  const { path, line, side, diffHunk } = root;
  const reply = addReviewComment(world, pullRequest, review, {
    path,
    line,
    side,
    diffHunk,
    body,
    inReplyToId: root.id,
  });
  announceReview(world, repository, pullRequest, review, [reply]);
  return reply;
}

export function findReviewComment(repository: Repository, commentId: number) {
  for (const pullRequest of repository.pullRequests) {
    const comment = pullRequest.reviewComments.find(({ id }) => id === commentId);
    if (comment) return { pullRequest, comment };
  }
  throw notFound();
}

function addReview(world: World, pullRequest: PullRequest, given: Pick<Review, 'author' | 'body' | 'state'>): Review {
  const submittedAt = world.timestamp();
  const review: Review = { ...given, id: world.nextId(), commitId: pullRequest.headSha, submittedAt };
  pullRequest.reviews.push(review);
  pullRequest.updatedAt = submittedAt;
  return review;
}

function addReviewComment(
  world: World,
  pullRequest: PullRequest,
  review: Review,
  given: Pick<ReviewComment, 'path' | 'line' | 'side' | 'body' | 'diffHunk' | 'inReplyToId'>,
): ReviewComment {
  const comment: ReviewComment = {
    ...given,
    id: world.nextId(),
    reviewId: review.id,
    author: review.author,
    byApp: review.author.id === world.app.bot.id,
    commitId: review.commitId,
    createdAt: review.submittedAt,
    updatedAt: review.submittedAt,
    reactions: [],
  };
  pullRequest.reviewComments.push(comment);
  return comment;
}

function announceReview(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
  review: Review,
  comments: ReviewComment[],
): void {
  const shared = { repository, sender: review.author };
  const shown = presentSimplePullRequest(world, repository, pullRequest);
  world.send({
    ...shared,
    name: 'pull_request_review',
    action: 'submitted',
    payload: { review: presentReviewInEvent(world, repository, pullRequest, review), pull_request: shown },
  });
  for (const comment of comments) {
    world.send({
      ...shared,
      name: 'pull_request_review_comment',
      action: 'created',
      payload: { comment: presentReviewComment(world, repository, pullRequest, comment), pull_request: shown },
    });
  }
}
