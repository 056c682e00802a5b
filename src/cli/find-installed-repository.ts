import { Refusal } from '../errors.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { openAccess } from '../github/auth/open-access.ts';
import { AppKeyRefused } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { FindInstalledRepository } from '../keys/project-keys.ts';
import { fetchSettings } from '../projects/read-repository-settings.ts';
import { noRedaction } from '../text/redact.ts';
import { runInline } from '../threads/threads.ts';

/**
 * Fetches a repository, its installation and its settings from GitHub, so that a key can be created before the first webhook. Does not find a
 * renamed repository by its old name: a different repository may take that name later. Throws `AppUnknown` if GitHub has no App with this id and key.
 */
export function createFindInstalledRepository(options: {
  github: GitHubApp;
  appId: string;
  signal: AbortSignal;
}): FindInstalledRepository {
  const { github, appId, signal } = options;
  async function findInstallation(name: { owner: string; repo: string }) {
    try {
      const installation = await github.findInstallationOf(name, signal);
      // A server may answer an unknown App the same, in other words than GitHub's; `fetchApp` throws for it.
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
    const settings = await fetchSettings(access.client, { runTask: runInline, signal });
    return { installation, repository: { ...repository, installationId }, settings };
  };
}

class AppUnknown extends Refusal {
  override readonly name = 'AppUnknown';
}

const isUnknownApp = (error: unknown): boolean =>
  error instanceof AppKeyRefused || (error instanceof GitHubRefusal && error.reason === 'not_found');
