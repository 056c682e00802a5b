import { sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';
import type { Notifications } from '../postgres/notifications.ts';

/** A worker process as others see it. One that was not seen for `claims.absentAfterMs` counts as gone. */
export interface Presence {
  name: string;
  slots: number;
}

export async function notePresence(database: Database, { name, slots }: Presence): Promise<void> {
  await sql`
    with forgotten as (delete from workers where seen_at < now() - interval '1 hour')
    insert into workers (name, slots, seen_at) values (${name}, ${slots}, now())
    on conflict (name) do update set slots = excluded.slots, seen_at = excluded.seen_at`.execute(database);
}

export async function removePresence(database: Database, name: string): Promise<void> {
  await database.deleteFrom('workers').where('name', '=', name).execute();
}

export const isPresent = sql<boolean>`(seen_at > now() - ${realTiming.claims.absentAfterMs} * interval '1 millisecond')`;

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

export const jobChannel = 'pagewright_job';

/** The worker that holds the job reads its flags on commit. A lost signal only delays: each renewal of a lease reads them, too. */
export async function signalJob(tx: Database, jobId: string): Promise<void> {
  await sql`select pg_notify(${jobChannel}, ${jobId})`.execute(tx);
}
