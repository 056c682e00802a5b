import type { GitHubApp } from '../github/auth/app.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Database } from '../store/postgres/database.ts';
import { upsertInstallation } from '../store/tables/installations.ts';
import { type Project, upsertProject } from '../store/tables/projects.ts';
import { findMove, isOutOfReach, type Move } from './find-move.ts';
import { suspended } from './suspended.ts';

/**
 * Works with the repository of a project where GitHub has it now. Where `work` throws because the repository is out of reach, it may have
 * moved to another account with the App, of which no webhook need have told yet: then the project moves along, and `work` is done there.
 */
export async function whereverItIs<T>(
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
    throw error instanceof GitHubRefusal ? suspended(error) : error;
  }
}
