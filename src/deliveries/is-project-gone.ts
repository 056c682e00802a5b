import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
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

async function isOutOfReach(
  github: GitHubApp,
  { installationId, repositoryId, signal }: { installationId: number; repositoryId: number; signal: AbortSignal },
): Promise<boolean> {
  try {
    const wanted = { installationId, repositoryId, permissions: { metadata: 'read' } as const, signal };
    await github.revokeToken((await github.mintToken(wanted)).token);
    return false;
  } catch (error) {
    if (error instanceof RunFailure) return goneCodes.includes(error.code);
    throw error;
  }
}
