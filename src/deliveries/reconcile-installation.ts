import { Parked } from '../errors.ts';
import type { Installation } from '../github/installation.ts';
import { assertUnblocked } from '../projects/assert-unblocked.ts';
import { listInstallationIds, upsertInstallation } from '../store/installations.ts';
import { listProjects, upsertProject } from '../store/projects.ts';
import { inTransaction } from '../store/store.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';
import { isProjectGone } from './is-project-gone.ts';
import { removeProject } from './remove-project.ts';

/**
 * Makes our projects of one installation what GitHub says they are. Webhooks are only the occasion: their lists of repositories
 * may be missing or empty (switching from all to selected repositories lists none), so GitHub is asked.
 */
export async function reconcileInstallation(
  parts: DeliveryParts,
  installation: Installation,
  signal: AbortSignal,
): Promise<Apply> {
  const { installationId, account, suspendedAt } = installation;
  await assertUnblocked(parts, installationId);
  // A suspended installation gets no token; its projects stay as they are until it comes back.
  const repositories = suspendedAt ? [] : await parts.github.listRepositories(installationId, signal);
  const listed = new Set(repositories.map(({ repositoryId }) => repositoryId));
  const gone = suspendedAt ? [] : await findGoneProjects(parts, installationId, { listed, signal });
  return async (store) => {
    const { tx } = store;
    // Jobs need no waking: they are not claimed while it is suspended, and are again from then on.
    await upsertInstallation(tx, { installationId, account, suspendedAt });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    for (const projectId of gone) await removeProject(store, projectId);
    return undefined;
  };
}

/** The same for all installations of the App; those that are gone lose their projects. One that cannot be read stops no other. */
export async function reconcileInstallations(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const { database, github } = parts;
  const installations = await github.listInstallations(signal);
  const failures: unknown[] = [];
  for (const installation of installations) {
    signal.throwIfAborted();
    try {
      await inTransaction(parts, await reconcileInstallation(parts, installation, signal));
    } catch (error) {
      // GitHub wants to be left alone: the next round sees to it.
      if (!(error instanceof Parked)) failures.push(error);
    }
  }
  const listed = new Set(installations.map(({ installationId }) => installationId));
  for (const installationId of await listInstallationIds(database)) {
    if (listed.has(installationId)) continue;
    const gone = await findGoneProjects(parts, installationId, { listed: new Set(), signal });
    await inTransaction(parts, async (store) => {
      for (const projectId of gone) await removeProject(store, projectId);
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
  { listed, signal }: { listed: ReadonlySet<number>; signal: AbortSignal },
): Promise<string[]> {
  const gone: string[] = [];
  for (const project of await listProjects(database, installationId)) {
    if (listed.has(project.repository_id)) continue;
    if (await isProjectGone(github, project, signal)) gone.push(project.project_id);
  }
  return gone;
}
