import type { GitHubApp } from '../github/app.ts';
import type { FindInstalledRepository } from '../keys/create-key.ts';

/**
 * Asks GitHub for a repository and its installation, so that a key can be made before any webhook has come. A renamed repository
 * is not found by its old name: the key would be made for another one than its maker believes once the name is taken again.
 */
export function createFindInstalledRepository(github: GitHubApp, signal: AbortSignal): FindInstalledRepository {
  return async ({ owner, repo }) => {
    const installation = await github.findInstallationOf({ owner, repo }, signal);
    if (!installation) {
      // GitHub answers the same to an App that it does not know, which the next line throws an error for.
      await github.fetchApp(signal);
      return undefined;
    }
    const { installationId } = installation;
    const fullName = `${owner}/${repo}`.toLowerCase();
    const repositories = await github.listRepositories(installationId, signal);
    const repository = repositories.find((candidate) => candidate.fullName.toLowerCase() === fullName);
    return repository && { installation, repository: { ...repository, installationId } };
  };
}
