import { Refusal } from '../errors.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { openAccess } from '../github/auth/open-access.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { FindInstalledRepository } from '../keys/keys.ts';
import { fetchSettings } from '../projects/read-settings.ts';

/**
 * Fetches a repository, its installation and its settings from GitHub, so that a key can be created before the first webhook. Does not find a
 * renamed repository by its old name: a different repository may take that name later. Throws `AppUnknown` if GitHub has no App with this id and key.
 */
export function createFindInstalledRepository({
  github,
  appId,
  signal,
}: {
  github: GitHubApp;
  appId: string;
  signal: AbortSignal;
}): FindInstalledRepository {
  async function findInstallation(name: { owner: string; repo: string }) {
    try {
      const installation = await github.findInstallationOf(name, signal);
      // GitHub answers an unknown App the same; `fetchApp` throws for it.
      if (!installation) await github.fetchApp(signal);
      return installation;
    } catch (error) {
      if (!isUnknownApp(error)) throw error;
      throw new AppUnknown(`GitHub does not know App ${appId}: check APP_ID and the private key`, { cause: error });
    }
  }

  return async ({ owner, repo }) => {
    const installation = await findInstallation({ owner, repo });
    if (!installation) return undefined;
    const { installationId } = installation;
    const fullName = `${owner}/${repo}`.toLowerCase();
    const repositories = await github.listRepositories(installationId, signal);
    const repository = repositories.find((candidate) => candidate.fullName.toLowerCase() === fullName);
    if (!repository) return undefined;
    const location = { installationId, ...repository };
    const permissions = { contents: 'read' } as const;
    // So that the repository's settings apply to the first job.
    await using access = await openAccess({ github, secrets: noRedaction, location, permissions, signal });
    const settings = await fetchSettings(access.client);
    return { installation, repository: { ...repository, installationId }, settings };
  };
}

class AppUnknown extends Refusal {
  override readonly name = 'AppUnknown';
}

/** The command line logs nothing. */
const noRedaction = { hide: () => {}, forget: () => {} };

/** 404: no App has the id; 401: the key belongs to another App. */
function isUnknownApp(error: unknown): boolean {
  if (error instanceof GitHubRefusal) return error.reason === 'not_found';
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'status' in cause && cause.status === 401;
}
