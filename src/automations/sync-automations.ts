import { isDeepStrictEqual } from 'node:util';
import { type Automation, readTrigger } from '../repository/automation-shapes.ts';
import { findNextTime } from '../repository/schedule.ts';
import { readStoredSettings, settingsPath } from '../repository/settings.ts';
import { readDatabaseTime, sendTogether, type Tx } from '../store/postgres/database.ts';
import { listAutomations, storeAutomations } from '../store/tables/automations/automations.ts';
import { listContextRows } from '../store/tables/repositories/context-repositories.ts';
import { findProject, type Project } from '../store/tables/repositories/projects.ts';
import { readSetting } from './read-automation.ts';

/** What was known of an automation before. */
interface Known {
  repositoryId: number | null;
  broken: string | null;
  /** null: its row cannot be read. */
  on: Automation['on'] | null;
}

/**
 * Makes the automations of a project what its stored settings say, with what was found of their repositories. Call it in the transaction that
 * stored either. Idempotent.
 */
export async function syncAutomations(tx: Tx, projectId: string): Promise<void> {
  const [project, stored] = await sendTogether(tx, (tx) => [
    findProject(tx, projectId),
    listAutomations(tx, projectId, { includesRemoved: true }),
  ]);
  if (!project) return;
  const settings = readStoredSettings(project.settings);
  const named = Object.entries(settings.automations);
  if (named.length + stored.length === 0) return;
  const contexts = await listContextRows(tx, projectId);
  const now = await readDatabaseTime(tx);
  const wanted = named.map(([name, setting]) => {
    const row = stored.find((each) => each.name === name && each.removed_at === null);
    const known = row && { repositoryId: row.repository_id, broken: row.broken, on: readSetting(row)?.on ?? null };
    const isSame = known !== undefined && isDeepStrictEqual(known.on, setting.on);
    const place = findPlace(setting, { project, contexts, known: isSame ? known : undefined });
    const trigger = readTrigger(setting);
    return {
      name,
      setting,
      ...place,
      beginsNow: !isSame || (known.broken !== null && place.broken === null),
      scheduledAt: isSame ? undefined : trigger.kind === 'schedule' ? findNextTime(trigger, now) : null,
    };
  });
  await storeAutomations(tx, projectId, { wanted, stored });
}

/** The repository of its occasions, which is followed by its id, or why there is none. */
function findPlace(
  setting: Automation,
  options: { project: Project; contexts: Awaited<ReturnType<typeof listContextRows>>; known: Known | undefined },
): { repositoryId: number | null; broken: string | null } {
  const { project, contexts, known } = options;
  const trigger = readTrigger(setting);
  if (trigger.kind === 'schedule') return { repositoryId: null, broken: null };
  const { repository_id: ownId, owner, repo, settings } = project;
  const name = trigger.repository?.toLowerCase() ?? null;
  const isOwn = name === null || name === `${owner}/${repo}`.toLowerCase() || known?.repositoryId === ownId;
  if (isOwn) return { repositoryId: ownId, broken: null };
  const found = contexts.find((row) => row.name === name);
  if (found) return { repositoryId: found.repository_id, broken: found.problem };
  const isListed = readStoredSettings(settings).context.some((entry) => entry.repository.toLowerCase() === name);
  const { repository } = trigger;
  const broken = isListed
    ? `Pagewright has not looked for ${repository} yet.`
    : `${repository} is no context repository. Add it to \`context:\` in ${settingsPath}.`;
  return { repositoryId: null, broken };
}
