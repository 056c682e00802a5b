import { z } from 'zod';
import { notFound } from '../api/api-error.ts';
import { presentReview, presentReviewComment } from '../json/present-comment.ts';
import { findPullRequest } from '../pulls/find-pull-request.ts';
import { deleteReviewComment, editReviewComment, findReviewComment } from '../pulls/review-comments.ts';
import { replyToReviewComment } from '../pulls/reviews.ts';
import type { PullRequest, Review, ReviewComment } from '../state/world.ts';
import { paginate } from './paginate.ts';
import { type Answer, numberParam, ok, onRepository, parseBody, type RepositoryCall, type Route } from './route.ts';

const replyBody = z.object({ body: z.string() });
const read = [{ pull_requests: 'read' as const }];
const write = [{ pull_requests: 'write' as const }];

const pullRequestOf = (call: RepositoryCall) => findPullRequest(call.repository, numberParam(call, 'number'));

function reviewOf(call: RepositoryCall, pullRequest: PullRequest): Review {
  const reviewId = numberParam(call, 'review_id');
  const review = pullRequest.reviews.find(({ id }) => id === reviewId);
  if (!review) throw notFound();
  return review;
}

function listComments(call: RepositoryCall, isWanted: (comment: ReviewComment) => boolean): Answer {
  const pullRequest = pullRequestOf(call);
  return paginate(call, pullRequest.reviewComments.filter(isWanted), (page) =>
    page.map((comment) => presentReviewComment(pullRequest, comment)),
  );
}

function reply(call: RepositoryCall, commentId: number): Answer {
  const { bot } = call;
  const { body } = parseBody(replyBody, call.body);
  const pullRequest = pullRequestOf(call);
  const comment = replyToReviewComment(pullRequest, { commentId, body, author: bot });
  const shown = presentReviewComment(pullRequest, comment);
  return { status: 201, body: shown, headers: { location: shown.url } };
}

/** https://docs.github.com/en/rest/pulls/reviews and https://docs.github.com/en/rest/pulls/comments */
export const reviewRoutes: Route[] = [
  onRepository.get('/pulls/:number/reviews/:review_id', read, (call) => {
    const pullRequest = pullRequestOf(call);
    return ok(presentReview(pullRequest, reviewOf(call, pullRequest)));
  }),
  onRepository.get('/pulls/:number/reviews/:review_id/comments', read, (call) => {
    const { id } = reviewOf(call, pullRequestOf(call));
    return listComments(call, ({ reviewId }) => reviewId === id);
  }),
  onRepository.get('/pulls/:number/comments', read, (call) =>
    listComments(call, ({ updatedAt }) => Date.parse(updatedAt) >= (Date.parse(call.query.since ?? '') || 0)),
  ),
  onRepository.post('/pulls/:number/comments/:comment_id/replies', write, (call) =>
    reply(call, numberParam(call, 'comment_id')),
  ),
  onRepository.get('/pulls/comments/:comment_id', read, (call) => {
    const { pullRequest, comment } = findReviewComment(call.repository, numberParam(call, 'comment_id'));
    return ok(presentReviewComment(pullRequest, comment));
  }),
  onRepository.patch('/pulls/comments/:comment_id', write, (call) => {
    const { repository, bot } = call;
    const found = findReviewComment(repository, numberParam(call, 'comment_id'));
    editReviewComment(found, parseBody(replyBody, call.body).body, bot);
    return ok(presentReviewComment(found.pullRequest, found.comment));
  }),
  onRepository.delete('/pulls/comments/:comment_id', write, (call) => {
    const { repository, bot } = call;
    deleteReviewComment(findReviewComment(repository, numberParam(call, 'comment_id')), bot);
    return { status: 204 };
  }),
];
