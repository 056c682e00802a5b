import type { Installation } from '../github/installation.ts';
import { findInstallation, listInstallationIds, upsertInstallation } from '../store/installations.ts';
import { wakeJobs } from '../store/jobs.ts';
import { upsertProject } from '../store/projects.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';
import { removeProjectsBut } from './remove-project.ts';

/**
 * Makes our projects of one installation what GitHub says they are. Webhooks are only the occasion: their lists of repositories
 * may be missing or empty (switching from all to selected repositories lists none), so GitHub is asked.
 */
export async function reconcileInstallation(
  { github }: Pick<DeliveryParts, 'github'>,
  installation: Installation,
): Promise<Apply> {
  const { installationId, account, suspendedAt } = installation;
  // A suspended installation gets no token; its projects stay as they are until it comes back.
  const repositories = suspendedAt ? null : await github.listRepositories(installationId);
  return async (tx) => {
    const wasSuspended = (await findInstallation(tx, installationId))?.suspended_at;
    await upsertInstallation(tx, { installationId, account, suspendedAt });
    if (!repositories) return undefined;
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    await removeProjectsBut(tx, installationId, new Set(repositories.map(({ repositoryId }) => repositoryId)));
    if (wasSuspended) await wakeJobs(tx, installationId);
    return undefined;
  };
}

/** The same for all installations of the App; those that GitHub no longer lists lose their projects. */
export async function reconcileInstallations(parts: DeliveryParts): Promise<void> {
  const { database, github } = parts;
  const installations = await github.listInstallations();
  for (const installation of installations) {
    const apply = await reconcileInstallation(parts, installation);
    await database.transaction().execute(apply);
  }
  const listed = new Set(installations.map(({ installationId }) => installationId));
  for (const installationId of await listInstallationIds(database)) {
    if (listed.has(installationId)) continue;
    await database.transaction().execute((tx) => removeProjectsBut(tx, installationId, new Set()));
  }
}
