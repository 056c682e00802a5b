import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
import type { Database } from '../store/database.ts';
import { upsertInstallation } from '../store/installations.ts';
import { type Project, upsertProject } from '../store/projects.ts';
import { findMove, isOutOfReach, type Move } from './find-move.ts';
import { suspended } from './suspended.ts';

/**
 * Does something with the repository of a project where GitHub has it: what it throws because the repository is out of reach counts only
 * if it did not move to another account with the App. Where it did, of which GitHub may not have told yet, the project moves along, and
 * it is done there.
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
    // Not by the name of a failure that is the project's own installation's.
    throw error instanceof RunFailure ? suspended(error) : error;
  }
}
