import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { fetchSettings } from '../../projects/read-settings.ts';
import { readDatabaseTime } from '../../store/postgres/database.ts';
import { inTransaction } from '../../store/store.ts';
import { type Project, storeSettings } from '../../store/tables/repositories/projects.ts';
import { listProjectsInUse } from '../../store/tables/repositories/projects-in-use.ts';
import { raiseWatermark } from '../../store/tables/repositories/watermarks.ts';
import { realTiming } from '../../timing.ts';
import type { Apply, DeliveryParts } from '../delivery-context.ts';
import { reconcileEach } from './reconcile-each.ts';

export async function refreshProject(
  { database, openProject }: DeliveryParts,
  project: Project,
  signal: AbortSignal,
): Promise<Apply> {
  const readAt = await readDatabaseTime(database);
  const permissions = { contents: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const read = await fetchSettings(access.client);
  return async ({ tx }) => {
    await storeSettings(tx, project.project_id, { ...read, readAt });
    return undefined;
  };
}

/** Refreshes the settings of all projects in use, with a token for each. Keeps settings that it cannot read. */
export async function refreshSettings(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const { database, log } = parts;
  await raiseWatermark(database, 'refresh-settings');
  await reconcileEach(await listProjectsInUse(database, { by: 'settings_read_at' }), {
    log,
    signal,
    timeUp: AbortSignal.timeout(realTiming.reconcile.settingsRoundMs),
    about: (project) => ({ projectId: project.project_id }),
    isExpected: (error) => error instanceof GitHubRefusal,
    async reconcile(project, until) {
      await inTransaction(parts, await refreshProject(parts, project, until));
    },
  });
}
