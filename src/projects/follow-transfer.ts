import type { GitHubApp } from '../github/auth/app.ts';
import type { InstallationToken } from '../github/auth/mint-token.ts';
import type { Installation } from '../github/calls/installation.ts';
import type { Repository } from '../github/calls/repository.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Database } from '../store/postgres/database.ts';
import { upsertInstallation } from '../store/tables/installations.ts';
import { type Project, upsertProject } from '../store/tables/projects.ts';
import { parkWhileSuspended } from './find-wait.ts';

/**
 * Works with the repository of a project where GitHub has it now. Where `work` throws because the repository is out of reach, it may have
 * moved to another account with the App, of which no webhook need have told yet: then the project moves along, and `work` is done there.
 */
export async function followTransfer<T>(
  { database, github, signal }: { database: Database; github: GitHubApp; signal: AbortSignal },
  project: Project,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  try {
    return await work(project);
  } catch (error) {
    const move = isOutOfReach(error) ? await findOpenMove(github, project, signal) : undefined;
    if (!move?.repository) throw error;
    const { installation, repository } = move;
    const moved = await database.transaction().execute(async (tx) => {
      await upsertInstallation(tx, installation);
      return upsertProject(tx, { ...repository, installationId: installation.installationId });
    });
    return work(moved);
  }
}

async function findOpenMove(github: GitHubApp, project: Project, signal: AbortSignal): Promise<Move | undefined> {
  try {
    return await findMove(github, project, signal);
  } catch (error) {
    // As it is, the failure of the other installation would be taken for one of the project's own.
    throw error instanceof GitHubRefusal ? parkWhileSuspended(error) : error;
  }
}

/** Whether GitHub refuses us a repository because it moved to another account, or because it or the installation is gone. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof GitHubRefusal && (error.reason === 'repository_gone' || error.reason === 'installation_gone');

/** The other account's installation that a repository is in now; `repository` is null where a server does not describe it. */
export interface Move {
  installation: Installation;
  repository: Repository | null;
}

/**
 * Finds the other installation that reaches the repository of a project which its own one does not reach; undefined: there is none. Throws
 * when that is not known, as when the other one is suspended.
 */
export async function findMove(github: GitHubApp, project: Project, signal: AbortSignal): Promise<Move | undefined> {
  const { installation_id: heldId, repository_id: repositoryId, owner, repo } = project;
  // By its old name, which GitHub keeps for it. Where another repository has taken the name, no token is minted for the number of this one.
  const installation = await github.findInstallationOf({ owner, repo }, signal);
  if (!installation || installation.installationId === heldId) return undefined;
  const { installationId } = installation;
  const reached = await reachRepository(github, { installationId, repositoryId, signal });
  return reached && { installation, repository: reached.repository };
}

/**
 * Mints a token that can do next to nothing in this one repository, for what GitHub says along with it; undefined where the repository, or
 * the installation, is gone. Throws when that is not known, as when the installation is suspended.
 */
export async function reachRepository(
  github: GitHubApp,
  wanted: { installationId: number; repositoryId: number; signal: AbortSignal },
): Promise<InstallationToken | undefined> {
  try {
    const minted = await github.mintToken({ ...wanted, permissions: { metadata: 'read' } });
    github.forgetToken(minted.token);
    return minted;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}
