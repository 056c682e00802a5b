import { type Kysely, sql } from 'kysely';

/** Only adds, so that a process of the version before can go on beside it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  // As in 0002: it is we who give way, and `migrate` tries again.
  `set local lock_timeout = '100ms'`,
  'lock table deliveries, jobs, messages, runs in access exclusive mode',
  'lock table installations in access exclusive mode',
  `alter table installations
    -- when the bucket of its writes will be full again: a write puts this off by its share of a second
    add column writes_until timestamptz`,
  `alter table messages
    -- the delivery that brought it; null: it came by the API, or a version before this one took it
    add column delivery_id text`,
  `alter table runs
    -- how many turns it had, once they are removed; null: they are still there
    add column removed_turns int`,
  // What retention looks for, so that it need not read what is kept.
  `create index runs_with_turns on runs (ended_at) where phase = 'ended' and removed_turns is null`,
  `create index deliveries_processed on deliveries (processed_at) where state <> 'stored'`,
];
