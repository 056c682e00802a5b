import { notFound } from '../api/api-error.ts';
import { presentReviewComment } from '../json/present-comment.ts';
import { presentSimplePullRequest } from '../json/present-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest, Repository, ReviewComment } from '../state/world.ts';
import { refuseBadComment } from './limits.ts';

export interface FoundReviewComment {
  pullRequest: PullRequest;
  comment: ReviewComment;
}

/** Throws 404 when there is none. */
export function findReviewComment(repository: Repository, commentId: number): FoundReviewComment {
  for (const pullRequest of repository.pullRequests) {
    const comment = pullRequest.reviewComments.find(({ id }) => id === commentId);
    if (comment) return { pullRequest, comment };
  }
  throw notFound();
}

export function editReviewComment(found: FoundReviewComment, body: string, sender: Account): void {
  refuseBadComment(body, 'PullRequestReviewComment');
  const from = found.comment.body;
  Object.assign(found.comment, { body, updatedAt: found.pullRequest.repository.world.timestamp() });
  announceReviewComment(found, { action: 'edited', sender, extra: { changes: { body: { from } } } });
}

/** Replies stay when the first comment of their thread is deleted. */
export function deleteReviewComment(found: FoundReviewComment, sender: Account): void {
  const { pullRequest, comment } = found;
  pullRequest.reviewComments.splice(pullRequest.reviewComments.indexOf(comment), 1);
  announceReviewComment(found, { action: 'deleted', sender });
}

export function announceReviewComment(
  { pullRequest, comment }: FoundReviewComment,
  { action, sender, extra = {} }: { action: string; sender: Account; extra?: Record<string, unknown> },
): void {
  const { repository } = pullRequest;
  repository.world.send({
    name: 'pull_request_review_comment',
    action,
    repository,
    sender,
    payload: {
      ...extra,
      comment: presentReviewComment(pullRequest, comment),
      pull_request: presentSimplePullRequest(pullRequest),
    },
  });
}
