import { z } from 'zod';
import { type Author, authorSchema } from './author.ts';

/**
 * A comment on lines of a pull request's diff. `inReplyTo` is the first comment of its thread, null for that one itself. `line` is the last
 * line that it is about and `startLine` the first of several, both of the file as it was then if the lines are gone since; null: about the
 * whole file, or one line.
 */
export interface ReviewComment {
  commentId: number;
  reviewId: number | null;
  inReplyTo: number | null;
  path: string;
  line: number | null;
  startLine: number | null;
  diffHunk: string;
  body: string;
  url: string;
  author: Author | null;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * https://docs.github.com/en/rest/pulls/comments#get-a-review-comment-for-a-pull-request; the comments of one review come without `line`,
 * with `original_line` alone: https://docs.github.com/en/rest/pulls/reviews#list-comments-for-a-pull-request-review
 */
export const reviewCommentSchema = z
  .object({
    id: z.number(),
    pull_request_review_id: z.number().nullish(),
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
    created_at: z.coerce.date(),
    updated_at: z.coerce.date(),
  })
  .transform(
    (given): ReviewComment => ({
      commentId: given.id,
      reviewId: given.pull_request_review_id ?? null,
      inReplyTo: given.in_reply_to_id ?? null,
      path: given.path,
      line: given.line ?? given.original_line ?? null,
      startLine: given.start_line ?? given.original_start_line ?? null,
      diffHunk: given.diff_hunk ?? '',
      body: given.body ?? '',
      url: given.html_url,
      author: given.user,
      createdAt: given.created_at,
      updatedAt: given.updated_at,
    }),
  );
