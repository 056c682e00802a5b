import { z } from 'zod';

/** A review of a pull request, without its inline comments. `submittedAt` is null while it is pending, which only its author sees. */
export interface Review {
  body: string;
  submittedAt: Date | null;
}

/** https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request */
export const reviewSchema = z
  .object({ body: z.string().nullish(), submitted_at: z.coerce.date().nullish() })
  .transform((given): Review => ({ body: given.body ?? '', submittedAt: given.submitted_at ?? null }));
