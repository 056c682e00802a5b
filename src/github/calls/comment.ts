import { z } from 'zod';
import { type Author, authorSchema } from './author.ts';

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
