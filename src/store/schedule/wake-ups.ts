import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { Notifications } from '../postgres/notifications.ts';

/** The payload is the name of one worker, or empty for all. */
export const wakeUpChannel = 'pagewright_claim';

/** All workers look for due jobs when the transaction commits. A lost wake-up costs a second: each also looks on a timer. */
export async function wakeWorkers(tx: Database): Promise<void> {
  await sql`select pg_notify(${wakeUpChannel}, '')`.execute(tx);
}

/** `onWakeUp` runs for each wake-up of the worker `name`, or of all. */
export function receiveWakeUps(notifications: Notifications, name: string, onWakeUp: () => void): void {
  notifications.on(wakeUpChannel, (woken) => {
    if (woken === '' || woken === name) onWakeUp();
  });
}
