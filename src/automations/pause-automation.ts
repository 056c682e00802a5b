import { readTrigger } from '../repository/automation-shapes.ts';
import { findNextTime } from '../repository/schedule.ts';
import { readDatabaseTime } from '../store/postgres/database.ts';
import { inTransaction, type Store } from '../store/store.ts';
import { lockAutomation, makeDue, updateAutomation } from '../store/tables/automations/automations.ts';
import { type AutomationKey, listWaitingOccasions } from '../store/tables/automations/occasions.ts';
import { readSetting } from './read-automation.ts';

/** What triggers it waits until it is resumed; the times of a schedule pass. Idempotent. False: there is no such automation. */
export function pauseAutomation(store: Store, key: AutomationKey): Promise<boolean> {
  return inTransaction(store, async ({ tx }) => {
    const row = await lockAutomation(tx, key);
    if (!row) return false;
    if (row.paused_at === null) await updateAutomation(tx, key, { paused_at: await readDatabaseTime(tx) });
    return true;
  });
}

/** Takes up at once what came in the meantime. Idempotent. False: there is no such automation. */
export function resumeAutomation(store: Store, key: AutomationKey): Promise<boolean> {
  return inTransaction(store, async ({ tx, queue }) => {
    const row = await lockAutomation(tx, key);
    if (!row) return false;
    if (row.paused_at === null) return true;
    const setting = readSetting(row);
    const trigger = setting && readTrigger(setting);
    const now = await readDatabaseTime(tx);
    const scheduled = trigger?.kind === 'schedule' ? { scheduled_at: findNextTime(trigger, now) } : {};
    await updateAutomation(tx, key, { paused_at: null, ...scheduled });
    if ((await listWaitingOccasions(tx, key, 1)).length === 0) return true;
    await makeDue(tx, key, { afterMs: 0 });
    await queue.send(tx, 'automation', key);
    return true;
  });
}
