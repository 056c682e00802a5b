import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
import type { InstallationToken } from '../github/mint-token.ts';
import type { Project } from '../store/projects.ts';

const goneCodes = ['repository_gone', 'installation_gone'];

/**
 * Whether GitHub refuses us this one repository because it, or the installation, is gone. One that moved to another account where the App
 * is installed is not gone. Throws when GitHub cannot be asked.
 */
export async function isProjectGone(github: GitHubApp, project: Project, signal: AbortSignal): Promise<boolean> {
  const { installation_id: installationId, repository_id: repositoryId, owner, repo } = project;
  if (!(await isOutOfReach(github, { installationId, repositoryId, signal }))) return false;
  // Under its old name, which GitHub keeps for it. Another repository that has taken the name is not in reach under this number.
  const found = await github.findInstallationOf({ owner, repo }, signal);
  if (!found || found.installationId === installationId) return true;
  return isOutOfReach(github, { installationId: found.installationId, repositoryId, signal });
}

interface Question {
  installationId: number;
  repositoryId: number;
  signal: AbortSignal;
}

/**
 * Asks for a token that can do next to nothing in this one repository, for what GitHub says with it; undefined where the repository, or
 * the installation, is gone. Throws when that is not known, as when the installation is suspended.
 */
export async function reachRepository(github: GitHubApp, wanted: Question): Promise<InstallationToken | undefined> {
  try {
    const minted = await github.mintToken({ ...wanted, permissions: { metadata: 'read' } });
    github.forgetToken(minted.token);
    return minted;
  } catch (error) {
    if (error instanceof RunFailure && goneCodes.includes(error.code)) return undefined;
    throw error;
  }
}

async function isOutOfReach(github: GitHubApp, wanted: Question): Promise<boolean> {
  try {
    return (await reachRepository(github, wanted)) === undefined;
  } catch (error) {
    // Suspended, for one: that is not gone.
    if (error instanceof RunFailure) return false;
    throw error;
  }
}
