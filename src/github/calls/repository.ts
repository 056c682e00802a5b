import { z } from 'zod';

/** A repository as GitHub describes it, under its current name. */
export interface Repository {
  repositoryId: number;
  owner: string;
  repo: string;
  fullName: string;
  defaultBranch: string;
  archived: boolean;
  disabled: boolean;
}

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
  })
  .transform(
    (given): Repository => ({
      repositoryId: given.id,
      owner: given.owner.login,
      repo: given.name,
      fullName: given.full_name,
      defaultBranch: given.default_branch,
      archived: given.archived,
      disabled: given.disabled,
    }),
  );
