import { z } from 'zod';
import { type CallSite, writeOnNew } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';
import { type Author, authorSchema, isOwnComment } from './comment-calls.ts';
import { assertBodyLength } from './max-body-length.ts';

/** A review of a pull request, without its inline comments. `submittedAt` is null while it is pending, which only its author sees. */
export interface Review {
  body: string;
  submittedAt: Date | null;
}

/** https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request */
export const reviewSchema = z
  .object({ body: z.string().nullish(), submitted_at: z.coerce.date().nullish() })
  .transform((given): Review => ({ body: given.body ?? '', submittedAt: given.submitted_at ?? null }));

/**
 * A comment on a pull request's diff. `inReplyTo` is the first comment of its thread; null: it is the first one itself. `line` is the last
 * line that it is on; null: it is on the whole file. `startLine` is the first of several lines; null: there is one at most. Where the lines
 * are gone by now, both are those of the file as it was when the comment was written.
 */
export interface ReviewComment {
  commentId: number;
  inReplyTo: number | null;
  path: string;
  line: number | null;
  startLine: number | null;
  diffHunk: string;
  body: string;
  url: string;
  author: Author | null;
}

/**
 * https://docs.github.com/en/rest/pulls/comments#get-a-review-comment-for-a-pull-request; the comments of one review come without `line`,
 * with `original_line` alone: https://docs.github.com/en/rest/pulls/reviews#list-comments-for-a-pull-request-review
 */
export const reviewCommentSchema = z
  .object({
    id: z.number(),
    in_reply_to_id: z.number().nullish(),
    path: z.string(),
    line: z.number().nullish(),
    original_line: z.number().nullish(),
    start_line: z.number().nullish(),
    original_start_line: z.number().nullish(),
    diff_hunk: z.string().nullish(),
    body: z.string().nullish(),
    html_url: z.string(),
    user: authorSchema,
  })
  .transform((given): ReviewComment => {
    const isThere = typeof given.line === 'number';
    const line = (isThere ? given.line : given.original_line) ?? null;
    const startLine = (isThere ? given.start_line : given.original_start_line) ?? null;
    // Lines that were removed are counted in the old file, and a comment may begin with one of them and end with one of the new file.
    const isRange = startLine !== null && line !== null && startLine < line;
    return {
      commentId: given.id,
      inReplyTo: given.in_reply_to_id ?? null,
      path: given.path,
      line,
      startLine: isRange ? startLine : null,
      diffHunk: given.diff_hunk ?? '',
      body: given.body ?? '',
      url: given.html_url,
      author: given.user,
    };
  });

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
