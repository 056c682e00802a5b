import type { GitHubApp } from '../github/auth/app.ts';
import type { InstallationToken } from '../github/auth/mint-token.ts';
import type { Installation } from '../github/calls/installation.ts';
import type { Repository } from '../github/calls/repository.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Database } from '../store/postgres/database.ts';
import { upsertInstallation } from '../store/tables/repositories/installations.ts';
import { type Project, upsertProject } from '../store/tables/repositories/projects.ts';
import { parkWhileSuspended } from './find-wait.ts';

/** Runs `work`. If the repository was transferred to another account with the App, updates the project and runs `work` again. */
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
    const movedProject = await database.transaction().execute(async (tx) => {
      await upsertInstallation(tx, installation);
      return upsertProject(tx, { ...repository, installationId: installation.installationId });
    });
    return work(movedProject);
  }
}

async function findOpenMove(github: GitHubApp, project: Project, signal: AbortSignal): Promise<Move | undefined> {
  try {
    return await findMove(github, project, signal);
  } catch (error) {
    // Otherwise the other installation's refusal would count as this project's.
    throw error instanceof GitHubRefusal ? parkWhileSuspended(error) : error;
  }
}

export const isOutOfReach = (error: unknown): boolean =>
  error instanceof GitHubRefusal && (error.reason === 'repository_gone' || error.reason === 'installation_gone');

/** `repository` is null when the server does not describe it. */
interface Move {
  installation: Installation;
  repository: Repository | null;
}

/** Throws when unknown, as for a suspended installation. */
async function findMove(github: GitHubApp, project: Project, signal: AbortSignal): Promise<Move | undefined> {
  const { installation_id: projectInstallationId, repository_id: repositoryId, owner, repo } = project;
  // GitHub redirects the old name. If another repository took it, no token is minted for this id.
  const installation = await github.findInstallationOf({ owner, repo }, signal);
  if (!installation || installation.installationId === projectInstallationId) return undefined;
  const { installationId } = installation;
  const reached = await reachRepository(github, { installationId, repositoryId, signal });
  return reached && { installation, repository: reached.repository };
}

/** Undefined when the repository or installation is gone. Throws when unknown. */
export async function reachRepository(
  github: GitHubApp,
  target: { installationId: number; repositoryId: number; signal: AbortSignal },
): Promise<InstallationToken | undefined> {
  try {
    const minted = await github.mintToken({ ...target, permissions: { metadata: 'read' } });
    github.forgetToken(minted.token);
    return minted;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

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
