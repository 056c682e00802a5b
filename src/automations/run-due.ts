import { findWait } from '../projects/find-wait.ts';
import { readTrigger } from '../repository/automation-shapes.ts';
import { findNextTime } from '../repository/schedule.ts';
import { readDatabaseTime } from '../store/postgres/database.ts';
import { inTransaction, type Store } from '../store/store.ts';
import {
  findAutomation,
  listDueAutomations,
  lockAutomation,
  makeDue,
  postpone,
  updateAutomation,
} from '../store/tables/automations/automations.ts';
import { type AutomationKey, listWaitingOccasions, noteOccasion } from '../store/tables/automations/occasions.ts';
import type { AutomationParts } from './automation-parts.ts';
import { judgeOccasions } from './judge-occasions.ts';
import { readAutomation, readSetting } from './read-automation.ts';
import { type TakenUp, takeUp, waitingLimit } from './take-up.ts';

/** Takes up what waits, if the automation is due. Idempotent. While GitHub cannot be asked, it is due later. Throws other errors for the queue to retry. */
export async function runDue(parts: AutomationParts, key: AutomationKey, signal: AbortSignal): Promise<void> {
  const { database, log } = parts;
  await parts.takeStep({ step: 'note time' }, () => noteTime(parts, key));
  try {
    const taken = await tryTakeUp(parts, key, signal);
    if (taken === undefined) return;
    const { kind: result } = taken;
    log.info({ ...key, result, ...('job' in taken && { jobId: taken.job.job_id }) }, 'an automation was due');
  } catch (error) {
    const until = findWait(error, { ageMs: await readOverdueMs(parts, key) });
    if (!until) throw error;
    log.warn({ err: error, ...key, until }, 'could not ask GitHub about what triggered an automation');
    await postpone(database, key, { afterMs: until.getTime() - Date.now() });
  }
}

/** Undefined: nothing is due. */
async function tryTakeUp(
  parts: AutomationParts,
  key: AutomationKey,
  signal: AbortSignal,
): Promise<TakenUp | undefined> {
  const { database, takeStep } = parts;
  for (;;) {
    const found = await readAutomation(database, key);
    if (!found) return undefined;
    const { row, setting, project } = found;
    if (!row.due_at || row.paused_at || project.removed_at) return undefined;
    if (row.due_at > (await readDatabaseTime(database))) return undefined;
    const occasions = await listWaitingOccasions(database, key, waitingLimit);
    const judged = await judgeOccasions(parts, occasions, { project, setting, signal });
    const taken = await takeStep({ step: 'take up' }, () =>
      inTransaction(parts, (store) => takeUp(store, parts, { key, row, setting, judged })),
    );
    if (taken.kind !== 'changed') return taken;
  }
}

async function readOverdueMs({ database }: AutomationParts, key: AutomationKey): Promise<number> {
  const row = await findAutomation(database, key);
  return row?.due_at ? (await readDatabaseTime(database)).getTime() - row.due_at.getTime() : 0;
}

/** The time of a schedule is an occasion: one for all the times that were missed. */
function noteTime(parts: AutomationParts, key: AutomationKey): Promise<void> {
  return inTransaction(parts, async ({ tx }) => {
    const row = await lockAutomation(tx, key);
    const setting = row && readSetting(row);
    if (!row?.scheduled_at || !setting || row.paused_at) return;
    const trigger = readTrigger(setting);
    const now = await readDatabaseTime(tx);
    if (trigger.kind !== 'schedule' || row.scheduled_at > now) return;
    const title = row.scheduled_at.toISOString();
    const subject = { kind: 'time', title } as const;
    await noteOccasion(tx, key, { key: `time:${title}`, subject, occurredAt: row.scheduled_at });
    await updateAutomation(tx, key, { scheduled_at: findNextTime(trigger, now) });
    await makeDue(tx, key, { afterMs: 0 });
  });
}

const atOnce = 1_000;

/** Sends the automations of all projects that are due to the queue: by a schedule, after collecting, or because their entry was lost. */
export async function sendDueAutomations({ database, queue }: Store, signal: AbortSignal): Promise<void> {
  for (const key of await listDueAutomations({ database, queue }, atOnce)) {
    signal.throwIfAborted();
    await queue.send(database, 'automation', key);
  }
}
