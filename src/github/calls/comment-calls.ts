import { z } from 'zod';
import { type CallContext, writeOnNew } from '../client/call-context.ts';
import { listPages, readIfFound, readList } from '../client/reads.ts';

/** GitHub's limit for the body of a pull request or comment, in characters. */
export const maxBodyLength = 65_536;

/** Throws for a body that GitHub would refuse: after the push, a refusal would come too late. */
export function assertBodyLength(body: string): void {
  if (body.length > maxBodyLength)
    throw new Error(`a body of ${body.length} characters is longer than GitHub’s limit of ${maxBodyLength}`);
}

/** `userId` stays the same when the login changes. */
interface Author {
  login: string;
  userId: number;
  isBot: boolean;
}

export const authorSchema = z
  .object({ id: z.number(), login: z.string(), type: z.string() })
  .nullish()
  .transform((user): Author | null =>
    user ? { login: user.login, userId: user.id, isBot: user.type === 'Bot' } : null,
  );

/** A comment on a pull request's conversation: https://docs.github.com/en/rest/issues/comments#list-issue-comments */
const commentSchema = z
  .object({
    id: z.number(),
    html_url: z.string(),
    body: z.string().nullish(),
    user: authorSchema,
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  })
  .transform((comment) => ({
    commentId: comment.id,
    url: comment.html_url,
    body: comment.body ?? '',
    author: comment.user,
    /** Set for comments written through an App, also with a person's token. */
    viaAppId: comment.performed_via_github_app?.id ?? null,
  }));

export type Comment = z.output<typeof commentSchema>;

/** The App's id is not enough: a person's token made through the App carries it too. No person's login can contain brackets. */
export function isOwnComment(
  { author, viaAppId }: { author: Author | null; viaAppId: number | null },
  self: { appId: number; botLogin: string },
): boolean {
  if (author === null) return false;
  return author.login === self.botLogin || (author.isBot && viaAppId === self.appId);
}

const reactionSchema = z.object({ id: z.number() });

export type RenderedPlace =
  | { kind: 'comment'; commentId: number }
  | { kind: 'issue'; number: number }
  | { kind: 'review'; number: number; reviewId: number };

const renderedSchema = z
  .object({ body_html: z.string().nullish() })
  .transform(({ body_html: rendered }) => rendered ?? '');

/** GitHub signs the addresses of images in its HTML: https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types */
const headers = { accept: 'application/vnd.github.full+json' };

export function createCommentCalls(context: CallContext) {
  const { connection, owner, repo, name, appId, fetchBotLogin } = context;

  /** Lists those of an issue or a pull request, the oldest first. */
  const listComments = (number: number, { since }: { since: Date }): Promise<Comment[]> => {
    const of = { owner, repo, issue_number: number, since: since.toISOString() };
    return readList(
      connection,
      { what: `list the comments of pull request ${number} of ${name}`, item: commentSchema },
      ({ rest }, page) => rest.issues.listComments({ ...of, ...page }),
    );
  };

  return {
    listComments,

    /** The App's own comments that contain `marker` and were written or edited at `since` or later, oldest first. */
    async findCommentsByMarker(number: number, marker: string, { since }: { since: Date }): Promise<Comment[]> {
      const marked = (await listComments(number, { since })).filter((comment) => comment.body.includes(marker));
      if (marked.length === 0) return [];
      const botLogin = await fetchBotLogin(connection.signal);
      return marked.filter((comment) => isOwnComment(comment, { appId, botLogin }));
    },

    async createComment(number: number, body: string): Promise<Comment> {
      assertBodyLength(body);
      return writeOnNew(context, `comment on pull request ${number} of ${name}`, async ({ rest }) =>
        commentSchema.parse((await rest.issues.createComment({ owner, repo, issue_number: number, body })).data),
      );
    },

    /** Idempotent: a missing comment counts as deleted. */
    async deleteComment(commentId: number): Promise<void> {
      await connection.write(
        `delete comment ${commentId} of ${name}`,
        async ({ rest }) => void (await rest.issues.deleteComment({ owner, repo, comment_id: commentId })),
        { 404: () => undefined },
      );
    },

    /** Idempotent. Creates the labels that the repository lacks. */
    async addLabels(number: number, labels: string[]): Promise<void> {
      await writeOnNew(
        context,
        `label pull request ${number} of ${name}`,
        async ({ rest }) => void (await rest.issues.addLabels({ owner, repo, issue_number: number, labels })),
      );
    },

    /** On a comment, or on the issue of this number. Undefined when it is gone. Idempotent on GitHub, so it is retried as a read: https://docs.github.com/en/rest/reactions/reactions */
    async addReaction({ on, commentId }: { on: 'comment' | 'review_comment' | 'issue'; commentId: number }) {
      return readIfFound(connection, `react to ${on.replace('_', ' ')} ${commentId} of ${name}`, async ({ rest }) => {
        const reaction = { owner, repo, content: 'eyes' } as const;
        const ofComment = { ...reaction, comment_id: commentId };
        const { data } =
          on === 'issue'
            ? await rest.reactions.createForIssue({ ...reaction, issue_number: commentId })
            : on === 'comment'
              ? await rest.reactions.createForIssueComment(ofComment)
              : await rest.reactions.createForPullRequestReviewComment(ofComment);
        return { reactionId: reactionSchema.parse(data).id };
      });
    },

    /** GitHub's HTML of a comment, of the text of an issue, or of a review with its comments. Undefined: it is gone. */
    fetchRendered: (place: RenderedPlace): Promise<string | undefined> =>
      readIfFound(connection, `read the HTML of a ${place.kind} of ${name}`, async ({ rest }) => {
        const of = { owner, repo, headers };
        if (place.kind === 'comment') {
          const { data } = await rest.issues.getComment({ ...of, comment_id: place.commentId });
          return renderedSchema.parse(data);
        }
        if (place.kind === 'issue') {
          const { data } = await rest.issues.get({ ...of, issue_number: place.number });
          return renderedSchema.parse(data);
        }
        const review = { ...of, pull_number: place.number, review_id: place.reviewId };
        const { data } = await rest.pulls.getReview(review);
        const comments = await listPages(renderedSchema, (page) =>
          rest.pulls.listCommentsForReview({ ...review, ...page }),
        );
        return [renderedSchema.parse(data), ...comments].join('\n');
      }),
  };
}
