import type { Comment, Conversation, PullRequest, Reaction, Review, ReviewComment, World } from '../state/world.ts';
import { apiUrlOf, nodeId, presentAccount } from './present.ts';
import { associationOf, conversationUrl, pullRequestUrl, summarizeReactions, viaApp } from './present-pull-request.ts';

export function presentComment(conversation: Conversation, comment: Comment) {
  const { repository } = conversation;
  const url = `${apiUrlOf(repository)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${conversationUrl(conversation)}#issuecomment-${comment.id}`,
    issue_url: `${apiUrlOf(repository)}/issues/${conversation.number}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: presentAccount(repository.world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    body: comment.body,
    author_association: associationOf(repository, comment.author),
    pin: null,
    reactions: summarizeReactions(`${url}/reactions`, comment.reactions),
    performed_via_github_app: viaApp(repository, comment.author),
  };
}

export function presentReview(pullRequest: PullRequest, review: Review) {
  const { repository } = pullRequest;
  const htmlUrl = `${pullRequestUrl(pullRequest)}#pullrequestreview-${review.id}`;
  const pullUrl = `${apiUrlOf(repository)}/pulls/${pullRequest.number}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: presentAccount(repository.world, review.author),
    body: review.body,
    state: review.state,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    author_association: associationOf(repository, review.author),
    _links: { html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    submitted_at: review.submittedAt,
    updated_at: review.submittedAt,
    commit_id: review.commitId,
  };
}

/** Events write the state in lower case and an empty body as null. */
export function presentReviewInEvent(pullRequest: PullRequest, review: Review) {
  const shown = presentReview(pullRequest, review);
  return { ...shown, state: shown.state.toLowerCase(), body: shown.body || null };
}

export function presentReviewComment(pullRequest: PullRequest, comment: ReviewComment) {
  const { repository } = pullRequest;
  const url = `${apiUrlOf(repository)}/pulls/comments/${comment.id}`;
  const htmlUrl = `${pullRequestUrl(pullRequest)}#discussion_r${comment.id}`;
  const pullUrl = `${apiUrlOf(repository)}/pulls/${pullRequest.number}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId('PRRC', comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: presentAccount(repository.world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    author_association: associationOf(repository, comment.author),
    _links: { self: { href: url }, html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    reactions: summarizeReactions(`${url}/reactions`, comment.reactions),
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startLine === null ? null : comment.side,
    line: comment.line,
    original_line: comment.line,
    side: comment.side,
    position: comment.line,
    original_position: comment.line ?? 1,
    subject_type: comment.line === null ? 'file' : 'line',
    ...(comment.inReplyToId === null ? {} : { in_reply_to_id: comment.inReplyToId }),
  };
}

export const presentReaction = (world: World, reaction: Reaction) => ({
  id: reaction.id,
  node_id: nodeId('REA', reaction.id),
  user: presentAccount(world, reaction.author),
  content: reaction.content,
  created_at: reaction.createdAt,
});
