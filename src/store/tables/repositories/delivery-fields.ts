import { z } from 'zod';

const account = z.object({ login: z.string(), id: z.number(), type: z.string().default('User') });
/** An enterprise has a slug and no login. */
const owner = z.union([account, z.object({ slug: z.string(), id: z.number() })]);
/** GitHub sends null for a deleted account. */
const author = account.nullish();
const branchOf = z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullish() });
const moment = z.iso.datetime({ offset: true });
/** PostgreSQL cannot hold NUL. */
const word = z.string().transform((value) => value.replaceAll('\0', ''));
const text = word.nullish();
/** The fields that handlers read, under GitHub's names: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const deliveryFieldsSchema = z.object({
  action: word.optional(),
  installation: z
    .object({ id: z.number(), account: owner.nullish(), suspended_at: z.union([z.string(), z.number()]).nullish() })
    .optional(),
  repository: z
    .object({
      id: z.number(),
      name: z.string(),
      owner: z.object({ login: z.string() }).nullish(),
      default_branch: z.string(),
    })
    .optional(),
  pull_request: z
    .object({
      number: z.number(),
      state: z.enum(['open', 'closed']),
      merged: z
        .boolean()
        .nullish()
        .transform((merged) => merged ?? false),
      merged_at: moment.nullish(),
      updated_at: moment,
      user: author,
      head: branchOf,
      base: branchOf,
    })
    .optional(),
  /** The conversation of a comment; `pull_request` is present if it is a pull request. */
  issue: z
    .object({
      number: z.number(),
      pull_request: z.object({}).nullish(),
      user: author,
      updated_at: moment.nullish(),
    })
    .optional(),
  /** That was put on an issue. */
  label: z.object({ name: word }).optional(),
  release: z.object({ id: z.number(), draft: z.boolean(), author, published_at: moment.nullish() }).optional(),
  comment: z
    .object({
      id: z.number(),
      body: text,
      user: author,
      created_at: moment,
      performed_via_github_app: z.object({ id: z.number() }).nullish(),
      pull_request_review_id: z.number().nullish(),
    })
    .optional(),
  review: z.object({ id: z.number(), body: text, user: author, submitted_at: moment.nullish() }).optional(),
  ref: z.string().optional(),
  sender: account.optional(),
});

export type DeliveryFields = z.infer<typeof deliveryFieldsSchema>;
