import { z } from 'zod';
import { type Author, authorSchema } from './author.ts';

/** A review of a pull request, without its inline comments. `submittedAt` is null while it is `pending`, which only its author sees. */
export interface Review {
  reviewId: number;
  url: string;
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed' | 'pending';
  body: string;
  author: Author | null;
  submittedAt: Date | null;
}

/** https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request; a webhook has the state in lower case. */
export const reviewSchema = z
  .object({
    id: z.number(),
    html_url: z.string(),
    state: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['approved', 'changes_requested', 'commented', 'dismissed', 'pending'])),
    body: z.string().nullish(),
    user: authorSchema,
    submitted_at: z.coerce.date().nullish(),
  })
  .transform(
    (given): Review => ({
      reviewId: given.id,
      url: given.html_url,
      state: given.state,
      body: given.body ?? '',
      author: given.user,
      submittedAt: given.submitted_at ?? null,
    }),
  );
