import type { Installation } from '../github/installation.ts';
import { findInstallation, listInstallationIds, upsertInstallation } from '../store/installations.ts';
import { wakeJobs } from '../store/jobs.ts';
import { listProjects, upsertProject } from '../store/projects.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';
import { isProjectGone } from './is-project-gone.ts';
import { removeProject } from './remove-project.ts';

/**
 * Makes our projects of one installation what GitHub says they are. Webhooks are only the occasion: their lists of repositories
 * may be missing or empty (switching from all to selected repositories lists none), so GitHub is asked.
 */
export async function reconcileInstallation(parts: DeliveryParts, installation: Installation): Promise<Apply> {
  const { installationId, account, suspendedAt } = installation;
  // A suspended installation gets no token; its projects stay as they are until it comes back.
  const repositories = suspendedAt ? [] : await parts.github.listRepositories(installationId);
  const listed = new Set(repositories.map(({ repositoryId }) => repositoryId));
  const gone = suspendedAt ? [] : await findGoneProjects(parts, installationId, listed);
  return async (tx) => {
    const wasSuspended = (await findInstallation(tx, installationId))?.suspended_at;
    await upsertInstallation(tx, { installationId, account, suspendedAt });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    for (const projectId of gone) await removeProject(tx, projectId);
    if (wasSuspended && !suspendedAt) await wakeJobs(tx, installationId);
    return undefined;
  };
}

/** The same for all installations of the App; those that are gone lose their projects. One that cannot be read stops no other. */
export async function reconcileInstallations(parts: DeliveryParts): Promise<void> {
  const { database, github } = parts;
  const installations = await github.listInstallations();
  const failures: unknown[] = [];
  for (const installation of installations) {
    try {
      const apply = await reconcileInstallation(parts, installation);
      await database.transaction().execute(apply);
    } catch (error) {
      failures.push(error);
    }
  }
  const listed = new Set(installations.map(({ installationId }) => installationId));
  for (const installationId of await listInstallationIds(database)) {
    if (listed.has(installationId)) continue;
    const gone = await findGoneProjects(parts, installationId, new Set());
    await database.transaction().execute(async (tx) => {
      for (const projectId of gone) await removeProject(tx, projectId);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, `could not reconcile ${failures.length} installations`);
}

/**
 * Our projects of an installation that a list of GitHub's lacks, and that are gone indeed. A list alone is no proof: it may be
 * older than a repository that was added while it was read, and what is archived by mistake cannot be taken back.
 */
async function findGoneProjects(
  { database, github }: DeliveryParts,
  installationId: number,
  listedRepositoryIds: ReadonlySet<number>,
): Promise<string[]> {
  const gone: string[] = [];
  for (const project of await listProjects(database, installationId)) {
    if (listedRepositoryIds.has(project.repository_id)) continue;
    if (await isProjectGone(github, project)) gone.push(project.project_id);
  }
  return gone;
}
