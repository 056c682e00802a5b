import type { GitHubApp } from '../github/auth/app.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { reachRepository } from './follow-transfer.ts';

/** A transferred repository is not gone. If another repository took its name, it counts as gone only with `isSoughtElsewhere`: all
 * installations were read before. Throws when GitHub is unreachable. */
export async function isProjectGone(
  github: GitHubApp,
  project: Project,
  { isSoughtElsewhere = false, signal }: { isSoughtElsewhere?: boolean; signal: AbortSignal },
): Promise<boolean> {
  const { installation_id: installationId, repository_id: repositoryId, owner, repo } = project;
  try {
    if (await reachRepository(github, { installationId, repositoryId, signal })) return false;
    const currentInstallation = await github.findInstallationOf({ owner, repo }, signal);
    if (!currentInstallation) return true;
    // This may be the same installation, after it got the repository back.
    const reached = await reachRepository(github, {
      installationId: currentInstallation.installationId,
      repositoryId,
      signal,
    });
    return reached === undefined && isSoughtElsewhere;
  } catch (error) {
    if (error instanceof GitHubRefusal) return false;
    throw error;
  }
}
