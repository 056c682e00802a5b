import { z } from 'zod';

/** A pull request. `branch` is its head; `headRepositoryId` is null when the repository it came from is deleted. */
export interface PullRequest {
  number: number;
  url: string;
  state: 'open' | 'closed';
  merged: boolean;
  title: string;
  body: string;
  base: string;
  branch: string;
  headRepositoryId: number | null;
  updatedAt: Date;
}

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request; items of a list have no `merged`, but all have `merged_at`. */
export const pullRequestSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    title: z.string(),
    body: z.string().nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullish() }),
    updated_at: z.coerce.date(),
  })
  .transform(
    (given): PullRequest => ({
      number: given.number,
      url: given.html_url,
      state: given.state,
      merged: typeof given.merged_at === 'string',
      title: given.title,
      body: given.body ?? '',
      base: given.base.ref,
      branch: given.head.ref,
      headRepositoryId: given.head.repo?.id ?? null,
      updatedAt: given.updated_at,
    }),
  );
