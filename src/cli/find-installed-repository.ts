import { Refusal } from '../errors.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { openAccess } from '../github/auth/open-access.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { FindInstalledRepository } from '../keys/create-key.ts';
import { fetchSettings } from '../projects/read-settings.ts';

/**
 * Asks GitHub for a repository, its installation and its settings, so that a key can be made before any webhook has come. A renamed
 * repository is not found by its old name: once another one takes that name, the key would be for a repository other than its maker
 * believes. Throws `AppUnknown` when GitHub knows no App of this id with this key.
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
      // GitHub answers the same to an App that it does not know, which this throws an error for.
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
    const place = { installationId, ...repository };
    const permissions = { contents: 'read' } as const;
    // So that the first job already starts as the repository wants it.
    await using access = await openAccess({ github, secrets: untold, place, permissions, signal });
    const settings = await fetchSettings(access.client);
    return { installation, repository: { ...repository, installationId }, settings };
  };
}

export class AppUnknown extends Refusal {
  override readonly name = 'AppUnknown';
}

/** The command line logs nothing. */
const untold = { hide: () => {}, forget: () => {} };

/** No App has the id (404), or the one that has it did not make the key (401). */
function isUnknownApp(error: unknown): boolean {
  if (error instanceof GitHubRefusal) return error.reason === 'not_found';
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'status' in cause && cause.status === 401;
}
