import { z } from 'zod';
import type { CallSite } from '../client/call-site.ts';
import { listAll } from '../client/list-all.ts';
import { writeOnNew } from '../client/write-on-new.ts';
import { isOwnComment } from './comment.ts';
import { assertBodyLength } from './max-body-length.ts';
import { type Review, reviewSchema } from './review.ts';
import { type ReviewComment, reviewCommentSchema } from './review-comment.ts';

const replySchema = z.object({ id: z.number(), html_url: z.string() });

/** The review calls of a repository client; its face says what they promise. */
export function createReviewCalls(site: CallSite) {
  const { connection, owner, repo, appId, fetchBotLogin } = site;
  const name = `${owner}/${repo}`;

  const listOfPullRequest = (number: number, filter: { since?: string } = {}): Promise<ReviewComment[]> =>
    connection.read(`list the review comments of pull request ${number} of ${name}`, async ({ rest }) =>
      listAll(async (page) => {
        const answer = await rest.pulls.listReviewComments({ owner, repo, pull_number: number, ...filter, ...page });
        return { items: z.array(reviewCommentSchema).parse(answer.data), link: answer.headers.link };
      }),
    );

  return {
    /** Undefined when there is no such review of that pull request. */
    async fetchReview(number: number, reviewId: number): Promise<Review | undefined> {
      return connection.read<Review | undefined>(
        `read review ${reviewId} of pull request ${number} of ${name}`,
        async ({ rest }) => {
          const answer = await rest.pulls.getReview({ owner, repo, pull_number: number, review_id: reviewId });
          return reviewSchema.parse(answer.data);
        },
        { 404: () => undefined },
      );
    },

    /** The inline comments of one review, oldest first. */
    async listReviewComments(number: number, reviewId: number): Promise<ReviewComment[]> {
      return connection.read(`list the comments of review ${reviewId} of ${name}`, async ({ rest }) =>
        listAll(async (page) => {
          const answer = await rest.pulls.listCommentsForReview({
            owner,
            repo,
            pull_number: number,
            review_id: reviewId,
            ...page,
          });
          return { items: z.array(reviewCommentSchema).parse(answer.data), link: answer.headers.link };
        }),
      );
    },

    /** The inline comments of all reviews of a pull request, oldest first. */
    listReviewCommentsOfPullRequest: (number: number): Promise<ReviewComment[]> => listOfPullRequest(number),

    /** Undefined when it is gone. */
    async fetchReviewComment(commentId: number): Promise<ReviewComment | undefined> {
      return connection.read<ReviewComment | undefined>(
        `read review comment ${commentId} of ${name}`,
        async ({ rest }) =>
          reviewCommentSchema.parse((await rest.pulls.getReviewComment({ owner, repo, comment_id: commentId })).data),
        { 404: () => undefined },
      );
    },

    /**
     * Answers in the thread whose first comment is `threadId`: GitHub takes no replies to replies. Sent as a comment is; throws
     * `AmbiguousWrite`.
     */
    async replyToReviewComment(
      number: number,
      threadId: number,
      body: string,
    ): Promise<{ commentId: number; url: string }> {
      assertBodyLength(body);
      return writeOnNew(
        site,
        `reply to review comment ${threadId} of pull request ${number} of ${name}`,
        async ({ rest }) => {
          const given = { owner, repo, pull_number: number, comment_id: threadId, body };
          const reply = replySchema.parse((await rest.pulls.createReplyForReviewComment(given)).data);
          return { commentId: reply.id, url: reply.html_url };
        },
      );
    },

    /**
     * Our own review comments that contain `marker` and were written or edited at `since` or later, oldest first; what others wrote is not
     * ours, whatever it contains.
     */
    async findRepliesByMarker(number: number, marker: string, { since }: { since: Date }): Promise<ReviewComment[]> {
      const all = await listOfPullRequest(number, { since: since.toISOString() });
      const marked = all.filter((comment) => comment.body.includes(marker));
      if (marked.length === 0) return [];
      const botLogin = await fetchBotLogin(connection.signal);
      // GitHub does not tell through which App a review comment was written, so the login alone decides.
      return marked.filter(({ author }) => isOwnComment({ author, viaAppId: null }, { appId, botLogin }));
    },

    /** Idempotent: a comment that is gone already is deleted. Sent once; throws `AmbiguousWrite`. */
    async deleteReviewComment(commentId: number): Promise<void> {
      await connection.write(
        `delete review comment ${commentId} of ${name}`,
        async ({ rest }) => void (await rest.pulls.deleteReviewComment({ owner, repo, comment_id: commentId })),
        { 404: () => undefined },
      );
    },
  };
}
