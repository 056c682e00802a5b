import { z } from 'zod';

const visibilitySchema = z.enum(['public', 'internal', 'private']);
/** `internal`: the members of an enterprise see it. */
export type Visibility = z.output<typeof visibilitySchema>;

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
export const repositorySchema = z
  .object({
    id: z.number(),
    name: z.string(),
    full_name: z.string(),
    owner: z.object({ login: z.string() }),
    default_branch: z.string(),
    archived: z.boolean().default(false),
    disabled: z.boolean().default(false),
    has_pull_requests: z.boolean().default(true),
    private: z.boolean().default(false),
    // Some versions of GitHub Enterprise Server omit it.
    visibility: visibilitySchema.optional().catch(undefined),
    // In kilobytes.
    size: z.number().default(0),
  })
  .transform(({ archived, disabled, ...repository }) => ({
    repositoryId: repository.id,
    owner: repository.owner.login,
    repo: repository.name,
    fullName: repository.full_name,
    defaultBranch: repository.default_branch,
    archived,
    disabled,
    hasPullRequests: repository.has_pull_requests,
    /** False if unknown: texts of a public repository are for everybody. */
    isPrivate: repository.private,
    visibility: repository.visibility ?? (repository.private ? ('private' as const) : ('public' as const)),
    /** With its history, as GitHub measured it last. */
    bytes: repository.size * 1024,
  }));

export type Repository = z.output<typeof repositorySchema>;
