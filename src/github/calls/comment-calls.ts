import { z } from 'zod';
import { type CallSite, writeOnNew } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';
import { assertBodyLength } from './max-body-length.ts';

/** Who wrote something. `userId` stays when the login changes. */
export interface Author {
  login: string;
  userId: number;
  isBot: boolean;
}

/** The account that GitHub names as the author; null for one that is deleted. */
export const authorSchema = z
  .object({ id: z.number(), login: z.string(), type: z.string() })
  .nullish()
  .transform((given): Author | null =>
    given ? { login: given.login, userId: given.id, isBot: given.type === 'Bot' } : null,
  );

/** A comment in a pull request's conversation. `viaAppId`: the App it was written through, also for a person's token. */
export interface Comment {
  commentId: number;
  url: string;
  body: string;
  author: Author | null;
  viaAppId: number | null;
}

/** https://docs.github.com/en/rest/issues/comments#list-issue-comments */
export const commentSchema = z
  .object({
    id: z.number(),
    html_url: z.string(),
    body: z.string().nullish(),
    user: authorSchema,
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  })
  .transform(
    (given): Comment => ({
      commentId: given.id,
      url: given.html_url,
      body: given.body ?? '',
      author: given.user,
      viaAppId: given.performed_via_github_app?.id ?? null,
    }),
  );

/**
 * Whether our own App wrote a comment. The App's number alone would not do: a person's token that was made through the App carries it too,
 * and whoever can copy our marker must not pass for us. No person's login can contain brackets.
 */
export function isOwnComment(
  comment: Pick<Comment, 'author' | 'viaAppId'>,
  self: { appId: number; botLogin: string },
): boolean {
  if (comment.author === null) return false;
  return comment.author.login === self.botLogin || (comment.author.isBot && comment.viaAppId === self.appId);
}

/** The conversation calls of a repository client; its face says what they promise. */
export function createCommentCalls(site: CallSite) {
  const { connection, owner, repo, appId, fetchBotLogin } = site;
  const name = `${owner}/${repo}`;

  /** The comments of a pull request's conversation that were written or edited at `since` or later, oldest first. */
  async function listComments(number: number, { since }: { since: Date }): Promise<Comment[]> {
    return connection.read(`list the comments of pull request ${number} of ${name}`, async ({ rest }) =>
      listAll(async (page) => {
        const answer = await rest.issues.listComments({
          owner,
          repo,
          issue_number: number,
          since: since.toISOString(),
          ...page,
        });
        return { items: z.array(commentSchema).parse(answer.data), link: answer.headers.link };
      }),
    );
  }

  return {
    /** Our own comments that contain `marker`, oldest first; what others wrote is not ours, whatever it contains. */
    async findCommentsByMarker(number: number, marker: string, { since }: { since: Date }): Promise<Comment[]> {
      const marked = (await listComments(number, { since })).filter((comment) => comment.body.includes(marker));
      if (marked.length === 0) return [];
      const botLogin = await fetchBotLogin(connection.signal);
      return marked.filter((comment) => isOwnComment(comment, { appId, botLogin }));
    },

    /** Sent once, but for what `writeOnNew` sends again; throws `AmbiguousWrite`. */
    async createComment(number: number, body: string): Promise<Comment> {
      assertBodyLength(body);
      return writeOnNew(site, `comment on pull request ${number} of ${name}`, async ({ rest }) =>
        commentSchema.parse((await rest.issues.createComment({ owner, repo, issue_number: number, body })).data),
      );
    },

    /** Idempotent: a comment that is gone already is deleted. Sent once; throws `AmbiguousWrite`. */
    async deleteComment(commentId: number): Promise<void> {
      await connection.write(
        `delete comment ${commentId} of ${name}`,
        async ({ rest }) => void (await rest.issues.deleteComment({ owner, repo, comment_id: commentId })),
        { 404: () => undefined },
      );
    },

    /**
     * Idempotent: adds the labels that are not there yet, making those that the repository lacks. Sent as a comment is; throws
     * `AmbiguousWrite`.
     */
    async addLabels(number: number, labels: string[]): Promise<void> {
      await writeOnNew(
        site,
        `label pull request ${number} of ${name}`,
        async ({ rest }) => void (await rest.issues.addLabels({ owner, repo, issue_number: number, labels })),
      );
    },
  };
}
