import { type Automation, type AutomationTrigger, readTrigger } from '../repository/automation-shapes.ts';
import type { StoreTx } from '../store/store.ts';
import { type AutomationRow, listAutomationsOf, makeDue } from '../store/tables/automations/automations.ts';
import { type NewOccasion, noteOccasion } from '../store/tables/automations/occasions.ts';
import { readSetting } from './read-automation.ts';

/** Something that happened in a repository, for the automations that it triggers. */
export interface Happening extends NewOccasion {
  repositoryId: number;
  isTriggerOf: (trigger: AutomationTrigger) => boolean;
  /** Nobody wants runs of what Pagewright made. */
  isOurs?: boolean;
  isByBot?: boolean;
}

export const passedBecause = {
  ours: 'Pagewright made it.',
  bot: 'A bot made it. `bots: true` lets bots trigger this automation.',
} as const;

/**
 * Notes it once for each automation that it triggers, in the transaction of what told of it. What waits is taken up when its automation is due.
 * Returns how many noted it now. The job that it is about must be locked before.
 */
export async function noteHappening(store: StoreTx, happening: Happening): Promise<number> {
  const { repositoryId, isTriggerOf, isOurs = false, isByBot = false, ...occasion } = happening;
  let noted = 0;
  for (const row of await listAutomationsOf(store.tx, repositoryId)) {
    const setting = readSetting(row);
    if (
      !setting ||
      row.broken !== null ||
      isBefore(occasion.occurredAt, row.since) ||
      !isTriggerOf(readTrigger(setting))
    )
      continue;
    const reason = isOurs ? passedBecause.ours : isByBot && !setting.bots ? passedBecause.bot : undefined;
    const isNew = await noteOccasion(store.tx, toKey(row), occasion, reason);
    if (!isNew) continue;
    noted += 1;
    if (reason === undefined) await wake(store, row, { afterMs: collectMs[setting.every] });
  }
  return noted;
}

/** GitHub tells whole seconds: what happened in the same second counts. */
const isBefore = (occurredAt: Date, since: Date): boolean =>
  occurredAt.getTime() < Math.floor(since.getTime() / 1000) * 1000;

const hour = 3600_000;

/** How long occasions are collected, from the first one that waits. */
const collectMs: Record<Automation['every'], number> = {
  merge: 0,
  hour,
  day: 24 * hour,
  week: 7 * 24 * hour,
};

/** Makes the automation due, unless it is so earlier. The queue takes up at once what is due at once; the sweep finds the rest. */
async function wake(store: StoreTx, row: AutomationRow, { afterMs }: { afterMs: number }): Promise<void> {
  await makeDue(store.tx, toKey(row), { afterMs });
  if (afterMs === 0) await store.queue.send(store.tx, 'automation', toKey(row));
}

const toKey = ({ project_id: projectId, name }: AutomationRow) => ({ projectId, name });
