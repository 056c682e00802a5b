import { createKey } from '../src/keys/project-keys.ts';
import type { Database } from '../src/store/postgres/database.ts';

/** Creates a project with a key, as if the App were installed on `owner/repo`. */
export async function createProject(
  database: Database,
  {
    owner = 'acme',
    repo = 'docs',
    repositoryId = 1,
    installationId = 1000 + repositoryId,
    name = 'ci',
    expiresAt = null,
  }: {
    owner?: string;
    repo?: string;
    repositoryId?: number;
    installationId?: number;
    name?: string;
    expiresAt?: Date | null;
  } = {},
) {
  const created = await createKey({
    database,
    owner,
    repo,
    name,
    expiresAt,
    findInstalledRepository: async () => ({
      installation: { installationId, account: owner, suspendedAt: null },
      repository: { repositoryId, installationId, owner, repo, defaultBranch: 'main' },
    }),
  });
  if (!created) throw new Error(`could not create a key of ${owner}/${repo}`);
  return created;
}
