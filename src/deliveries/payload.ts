import { z } from 'zod';

/** PostgreSQL cannot hold NUL. */
const word = z.string().transform((value) => value.replaceAll('\0', ''));
export const text = word.nullish();
export const moment = z.iso.datetime({ offset: true });
const account = z.object({ login: z.string(), id: z.number(), type: z.string().default('User') });
/** GitHub sends null for a deleted account. */
export const author = account.nullish();
/** An enterprise has a slug and no login. */
const installationOwner = z.union([account, z.object({ slug: z.string(), id: z.number() })]);
const branch = z.object({ ref: z.string(), sha: z.string().optional(), repo: z.object({ id: z.number() }).nullish() });

const repository = z.object({
  id: z.number(),
  name: z.string(),
  owner: z.object({ login: z.string() }).nullish(),
  default_branch: z.string(),
});

/** The fields of every event, under GitHub's names: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const commonFields = {
  action: word.optional(),
  /** A webhook of a repository or an organization with the same URL and secret sends none. */
  installation: z
    .object({
      id: z.number(),
      account: installationOwner.nullish(),
      suspended_at: z.union([z.string(), z.number()]).nullish(),
    })
    .optional(),
  /** Only events about an installation have none. */
  repository: repository.optional(),
  sender: account.optional(),
};

/** What several events carry. */
export const fieldsOf = {
  repository,
  label: z.object({ name: word }),
  pull_request: z.object({
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged: z
      .boolean()
      .nullish()
      .transform((merged) => merged ?? false),
    merged_at: moment.nullish(),
    updated_at: moment,
    user: author,
    head: branch,
    base: branch,
    /** Not in events of reviews. */
    changed_files: z.number().nullish(),
    additions: z.number().nullish(),
    deletions: z.number().nullish(),
  }),
  /** `pull_request` is present if the issue is a pull request. */
  issue: z.object({
    number: z.number(),
    pull_request: z.object({}).nullish(),
    user: author,
    created_at: moment.nullish(),
    updated_at: moment.nullish(),
  }),
  comment: z.object({
    id: z.number(),
    body: text,
    user: author,
    created_at: moment,
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
    pull_request_review_id: z.number().nullish(),
  }),
  review: z.object({
    id: z.number(),
    body: text,
    user: author,
    submitted_at: moment.nullish(),
    state: text,
    author_association: text,
  }),
};

const commonSchema = z.object(commonFields);
export type CommonFields = z.infer<typeof commonSchema>;
export type RepositoryPayload = z.infer<typeof repository>;

/** Something that belongs to a pull request, or to its conversation. */
export interface AboutPullRequest extends CommonFields {
  pull_request?: z.infer<typeof fieldsOf.pull_request>;
  issue?: z.infer<typeof fieldsOf.issue>;
}

/** A comment, or a review. */
export interface Written extends AboutPullRequest {
  comment?: z.infer<typeof fieldsOf.comment>;
  review?: z.infer<typeof fieldsOf.review>;
}
