import type { GitHubApp } from '../github/auth/app.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Project } from '../store/tables/projects.ts';
import { reachRepository } from './follow-transfer.ts';

/**
 * Whether GitHub refuses us this one repository because it, or the installation, is gone. One that moved to another account where the App
 * is installed is not gone, nor one whose old name another repository has by now: it may have moved to any of them, unless
 * `isSoughtElsewhere`, because all of them were read before. Throws when GitHub cannot be asked.
 */
export async function isProjectGone(
  github: GitHubApp,
  project: Project,
  { isSoughtElsewhere = false, signal }: { isSoughtElsewhere?: boolean; signal: AbortSignal },
): Promise<boolean> {
  const { installation_id: installationId, repository_id: repositoryId, owner, repo } = project;
  try {
    if (await reachRepository(github, { installationId, repositoryId, signal })) return false;
    const named = await github.findInstallationOf({ owner, repo }, signal);
    if (!named) return true;
    // This may ask its own installation once more, which the repository may have been put back into.
    const found = await reachRepository(github, { installationId: named.installationId, repositoryId, signal });
    return found === undefined && isSoughtElsewhere;
  } catch (error) {
    // The installation may be suspended, which is not gone.
    if (error instanceof GitHubRefusal) return false;
    throw error;
  }
}
