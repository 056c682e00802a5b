import { z } from 'zod';

const account = z.object({ login: z.string(), id: z.number(), type: z.string().default('User') });
/** An enterprise has a slug and no login. */
const owner = z.union([account, z.object({ slug: z.string(), id: z.number() })]);
const branchOf = z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullish() });
const moment = z.iso.datetime({ offset: true });
/** PostgreSQL cannot look into JSON that holds it. */
const text = z
  .string()
  .transform((given) => given.replaceAll('\0', ''))
  .nullish();
/** Of an account that was deleted, GitHub sends null. */
const author = account.nullish();

/**
 * What is kept of a webhook's payload: only the fields that a handler reads, under GitHub's own names. What an event does not
 * carry is absent. https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export const deliveryFieldsSchema = z.object({
  action: z.string().optional(),
  installation: z
    .object({ id: z.number(), account: owner.nullish(), suspended_at: z.union([z.string(), z.number()]).nullish() })
    .optional(),
  repository: z
    .object({ id: z.number(), name: z.string(), owner: z.object({ login: z.string() }), default_branch: z.string() })
    .optional(),
  pull_request: z
    .object({
      number: z.number(),
      state: z.enum(['open', 'closed']),
      merged: z.boolean().default(false),
      updated_at: moment,
      head: branchOf,
      base: branchOf,
    })
    .optional(),
  /** Of a comment in a conversation; `pull_request` is there when the conversation is a pull request's. */
  issue: z.object({ number: z.number(), pull_request: z.object({}).nullish(), user: author }).optional(),
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
  /** Of a push. */
  ref: z.string().optional(),
  sender: account.optional(),
});

export type DeliveryFields = z.infer<typeof deliveryFieldsSchema>;
