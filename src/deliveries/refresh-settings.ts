import { Parked, RunFailure } from '../errors.ts';
import { fetchSettings } from '../projects/read-settings.ts';
import { listProjectsInUse, type Project, storeSettings } from '../store/projects.ts';
import { inTransaction } from '../store/store.ts';
import { raiseWatermark } from '../store/watermarks.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';

/** Reads what the repository says of itself on its default branch. */
export async function refreshProject(
  { openProject }: Pick<DeliveryParts, 'openProject'>,
  project: Project,
  signal: AbortSignal,
): Promise<Apply> {
  const readAt = new Date();
  const permissions = { contents: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const read = await fetchSettings(access.client);
  return async ({ tx }) => {
    await storeSettings(tx, project.project_id, { ...read, readAt });
    return undefined;
  };
}

/** The same for every project that somebody uses; what cannot be read stays as it was, and stops no other. It costs a token for each. */
export async function refreshSettings(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'refresh-settings', new Date());
  const failures: unknown[] = [];
  for (const project of await listProjectsInUse(parts.database)) {
    try {
      await inTransaction(parts, await refreshProject(parts, project, signal));
    } catch (error) {
      // A repository that is gone, or an installation that was suspended or blocked just now: the next round sees to those.
      if (!(error instanceof RunFailure || error instanceof Parked)) failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `could not read the settings of ${failures.length} projects`);
}
