import { sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';

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
