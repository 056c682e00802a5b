import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
import type { Project } from '../store/projects.ts';
import { findMove, reachRepository } from './find-move.ts';

/**
 * Whether GitHub refuses us this one repository because it, or the installation, is gone. One that moved to another account where the App
 * is installed is not gone. Throws when GitHub cannot be asked.
 */
export async function isProjectGone(github: GitHubApp, project: Project, signal: AbortSignal): Promise<boolean> {
  const { installation_id: installationId, repository_id: repositoryId } = project;
  try {
    if (await reachRepository(github, { installationId, repositoryId, signal })) return false;
    return (await findMove(github, project, signal)) === undefined;
  } catch (error) {
    // Suspended, for one: that is not gone.
    if (error instanceof RunFailure) return false;
    throw error;
  }
}
