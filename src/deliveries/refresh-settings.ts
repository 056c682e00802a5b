import { Parked, RunFailure } from '../errors.ts';
import { parseSettings, settingsPath, tooLargeSettings } from '../repository/settings.ts';
import { listProjectsInUse, type Project, storeSettings } from '../store/projects.ts';
import { inTransaction } from '../store/store.ts';
import { compileGlob } from '../workspace/glob.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';

/** Reads what the repository says of itself on its default branch. */
export async function fetchSettings(
  { openProject }: Pick<DeliveryParts, 'openProject'>,
  project: Project,
  signal: AbortSignal,
): Promise<Apply> {
  const readAt = new Date();
  const permissions = { contents: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const file = await access.client.fetchFile(settingsPath);
  const isGlob = (glob: string) => compileGlob(glob) !== null;
  const text = file.kind === 'text' ? file.text : '';
  const read = file.kind === 'too_large' ? tooLargeSettings : parseSettings(text, { isGlob });
  return async ({ tx }) => {
    await storeSettings(tx, project.project_id, { ...read, readAt });
    return undefined;
  };
}

/** The same for every project that somebody uses; what cannot be read stays as it was, and stops no other. */
export async function refreshSettings(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const project of await listProjectsInUse(parts.database)) {
    try {
      await inTransaction(parts, await fetchSettings(parts, project, signal));
    } catch (error) {
      // A repository that is gone, or an installation that was suspended or blocked just now: the next round sees to those.
      if (!(error instanceof RunFailure || error instanceof Parked)) failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `could not read the settings of ${failures.length} projects`);
}
