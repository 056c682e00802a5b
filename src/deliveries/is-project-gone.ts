import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
import type { Project } from '../store/projects.ts';

const goneCodes = ['repository_gone', 'installation_gone'];

/** Whether GitHub refuses us this one repository because it, or the installation, is gone. Throws when GitHub cannot be asked. */
export async function isProjectGone(github: GitHubApp, project: Project): Promise<boolean> {
  const { installation_id: installationId, repository_id: repositoryId } = project;
  const signal = AbortSignal.timeout(60_000);
  try {
    const wanted = { installationId, repositoryId, permissions: { metadata: 'read' } as const, signal };
    await github.revokeToken((await github.mintToken(wanted)).token);
    return false;
  } catch (error) {
    if (error instanceof RunFailure) return goneCodes.includes(error.code);
    throw error;
  }
}
