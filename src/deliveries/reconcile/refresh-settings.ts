import { syncAutomations } from '../../automations/sync-automations.ts';
import { resolveContext } from '../../context/resolve-context.ts';
import { fetchSettings } from '../../projects/read-repository-settings.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { inTransaction } from '../../store/store.ts';
import { listBrokenProjects } from '../../store/tables/automations/automations.ts';
import { storeContextRepositories } from '../../store/tables/repositories/context-repositories.ts';
import { listProjectsInUse, type Project, storeSettings } from '../../store/tables/repositories/projects.ts';
import { raiseWatermark } from '../../store/tables/repositories/watermarks.ts';
import { runFor } from '../../threads/threads.ts';
import type { Apply, DeliveryParts } from '../delivery-context.ts';
import { reconcileProjects } from './reconcile-each.ts';

const settingsRoundMs = 9.5 * 60_000;

/** Reads a project's settings, and whether the repositories of its automations agree. */
export async function refreshProject(parts: DeliveryParts, project: Project, signal: AbortSignal): Promise<Apply> {
  const { database, openProject, threads } = parts;
  const { project_id: projectId } = project;
  const readAt = await readDatabaseTime(database);
  const permissions = { contents: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const runTask = runFor(threads, projectId);
  const read = await fetchSettings(access.client, { runTask, signal });
  const { settings, problems } = read;
  // A run asks for itself.
  const isAsked = problems.length === 0 && Object.keys(settings.automations).length > 0;
  const find = async () => {
    const repository = access.repository ?? (await access.client.fetchRepository());
    const documentation = { projectId, repository, client: access.client };
    return resolveContext({ ...parts, runTask }, documentation, settings.context, signal);
  };
  const found = isAsked ? await find() : undefined;
  return async ({ tx }) => {
    await storeSettings(tx, projectId, { ...read, readAt });
    if (found) await storeContextRepositories(tx, projectId, found);
    await syncAutomations(tx, projectId);
    return undefined;
  };
}

/** Refreshes the settings of all projects in use, with a token for each. Keeps settings that it cannot read. */
export async function refreshSettings(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'refresh-settings');
  const projects = await listProjectsInUse(parts.database, { by: 'settings_read_at' });
  await refreshEach(parts, projects, signal, AbortSignal.timeout(settingsRoundMs));
}

/** Looks again whether automations that nothing could trigger can be triggered: the App may have been installed, or a line been added. */
export async function refreshBroken(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await refreshEach(parts, await listBrokenProjects(parts.database), signal);
}

async function refreshEach(
  parts: DeliveryParts,
  projects: readonly Project[],
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  await reconcileProjects(parts, projects, {
    signal,
    timeUp,
    async reconcile(project, until) {
      await inTransaction(parts, await refreshProject(parts, project, until));
    },
  });
}
