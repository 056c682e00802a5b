import { z } from 'zod';
import { type CallContext, writeOnNew } from '../client/call-context.ts';
import { readIfFound, readList } from '../client/reads.ts';
import { assertBodyLength, authorSchema, isOwnComment } from './comment-calls.ts';

/** Without its inline comments: https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request */
const reviewSchema = z
  .object({ body: z.string().nullish(), submitted_at: z.coerce.date().nullish() })
  // It has no date while it is pending, which only its author sees.
  .transform((review) => ({ body: review.body ?? '', submittedAt: review.submitted_at ?? null }));

/** https://docs.github.com/en/rest/pulls/comments#get-a-review-comment-for-a-pull-request. A review's comments have only `original_line`:
 * https://docs.github.com/en/rest/pulls/reviews#list-comments-for-a-pull-request-review */
const reviewCommentSchema = z
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
  .transform((comment) => {
    const isCurrent = typeof comment.line === 'number';
    const line = (isCurrent ? comment.line : comment.original_line) ?? null;
    const startLine = (isCurrent ? comment.start_line : comment.original_start_line) ?? null;
    // Removed lines count in the old file: a range that starts on one may end on a lower line number of the new file.
    const isRange = startLine !== null && line !== null && startLine < line;
    return {
      commentId: comment.id,
      /** The first comment of the thread; null for that comment. */
      inReplyTo: comment.in_reply_to_id ?? null,
      path: comment.path,
      /** An outdated comment has its line in the file that was commented on. Null: the comment is on the whole file. */
      line,
      /** Null: at most one line. */
      startLine: isRange ? startLine : null,
      diffHunk: comment.diff_hunk ?? '',
      body: comment.body ?? '',
      url: comment.html_url,
      author: comment.user,
    };
  });

export type ReviewComment = z.output<typeof reviewCommentSchema>;

const replySchema = z.object({ id: z.number(), html_url: z.string() });

/** REST does not say which threads are resolved. https://docs.github.com/en/graphql/reference/objects#pullrequestreviewthread */
const threadsQuery = `
  query ($owner: String!, $name: String!, $number: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      pullRequest(number: $number) {
        reviewThreads(first: 100, after: $after) {
          nodes { isResolved comments(first: 1) { nodes { databaseId } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }`;

const threadSchema = z.object({
  isResolved: z.boolean(),
  comments: z.object({ nodes: z.array(z.object({ databaseId: z.number().nullish() })) }),
});
const threadsSchema = z.object({
  nodes: z.array(threadSchema),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});
const threadsAnswer = z.object({
  repository: z.object({ pullRequest: z.object({ reviewThreads: threadsSchema }).nullish() }).nullish(),
});

const maxThreadPages = 10;

export function createReviewCalls(context: CallContext) {
  const { connection, owner, repo, name, appId, fetchBotLogin } = context;

  const listOfPullRequest = (number: number, filter: { since?: string } = {}): Promise<ReviewComment[]> =>
    readList(
      connection,
      { what: `list the review comments of pull request ${number} of ${name}`, item: reviewCommentSchema },
      ({ rest }, page) => rest.pulls.listReviewComments({ owner, repo, pull_number: number, ...filter, ...page }),
    );

  return {
    fetchReview: (number: number, reviewId: number) =>
      readIfFound(connection, `read review ${reviewId} of pull request ${number} of ${name}`, async ({ rest }) => {
        const answer = await rest.pulls.getReview({ owner, repo, pull_number: number, review_id: reviewId });
        return reviewSchema.parse(answer.data);
      }),

    listReviewComments(number: number, reviewId: number): Promise<ReviewComment[]> {
      const review = { owner, repo, pull_number: number, review_id: reviewId };
      return readList(
        connection,
        { what: `list the comments of review ${reviewId} of ${name}`, item: reviewCommentSchema },
        ({ rest }, page) => rest.pulls.listCommentsForReview({ ...review, ...page }),
      );
    },

    listReviewCommentsOfPullRequest: (number: number): Promise<ReviewComment[]> => listOfPullRequest(number),

    fetchReviewComment: (commentId: number): Promise<ReviewComment | undefined> =>
      readIfFound(connection, `read review comment ${commentId} of ${name}`, async ({ rest }) => {
        const { data } = await rest.pulls.getReviewComment({ owner, repo, comment_id: commentId });
        return reviewCommentSchema.parse(data);
      }),

    /** `threadId` is the first comment of the thread: GitHub accepts no replies to replies. */
    async replyToReviewComment(
      number: number,
      threadId: number,
      body: string,
    ): Promise<{ commentId: number; url: string }> {
      assertBodyLength(body);
      return writeOnNew(
        context,
        `reply to review comment ${threadId} of pull request ${number} of ${name}`,
        async ({ rest }) => {
          const target = { owner, repo, pull_number: number, comment_id: threadId, body };
          const reply = replySchema.parse((await rest.pulls.createReplyForReviewComment(target)).data);
          return { commentId: reply.id, url: reply.html_url };
        },
      );
    },

    /** The App's own review comments that contain `marker` and were written or edited at `since` or later, oldest first. */
    async findRepliesByMarker(number: number, marker: string, { since }: { since: Date }): Promise<ReviewComment[]> {
      const all = await listOfPullRequest(number, { since: since.toISOString() });
      const marked = all.filter((comment) => comment.body.includes(marker));
      if (marked.length === 0) return [];
      const botLogin = await fetchBotLogin(connection.signal);
      // GitHub does not say through which App a review comment was written, so only the login counts.
      return marked.filter(({ author }) => isOwnComment({ author, viaAppId: null }, { appId, botLogin }));
    },

    /** Idempotent: a missing comment counts as deleted. */
    async deleteReviewComment(commentId: number): Promise<void> {
      await connection.write(
        `delete review comment ${commentId} of ${name}`,
        async ({ rest }) => void (await rest.pulls.deleteReviewComment({ owner, repo, comment_id: commentId })),
        { 404: () => undefined },
      );
    },

    /** The first comment of each thread that somebody has resolved. */
    async listResolvedThreads(number: number): Promise<ReadonlySet<number>> {
      const found = new Set<number>();
      let after: string | null = null;
      for (let page = 0; page < maxThreadPages; page += 1) {
        const asked: object = { owner, name: repo, number, after };
        const data: z.infer<typeof threadsAnswer> = await connection.read(
          `read the threads of pull request ${number} of ${name}`,
          async ({ graphql }) => threadsAnswer.parse(await graphql(threadsQuery, { ...asked })),
        );
        const { nodes = [], pageInfo } = data.repository?.pullRequest?.reviewThreads ?? {};
        for (const { isResolved, comments } of nodes) {
          const rootId = comments.nodes[0]?.databaseId;
          if (isResolved && rootId != null) found.add(rootId);
        }
        after = pageInfo?.endCursor ?? null;
        if (!pageInfo?.hasNextPage || after === null) break;
      }
      return found;
    },
  };
}
