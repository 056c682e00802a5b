import { z } from 'zod';
import { type Author, authorSchema } from './author.ts';

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
