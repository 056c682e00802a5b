import { type Kysely, sql } from 'kysely';

/** Only adds, so that a process of the previous version can continue. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  // As in 0002: in a deadlock this migration fails, and `migrate` retries.
  `set local lock_timeout = '100ms'`,
  'lock table deliveries, jobs, messages, runs, effects in access exclusive mode',
  'lock table installations, projects in access exclusive mode',
  'lock table redeliveries, watermarks in access exclusive mode',
  `alter table installations
    -- when the bucket of its writes will be full again: a write puts this off by its share of a second
    add column writes_until timestamptz,
    -- when a round that compares with GitHub came to it last; null: none did
    add column compared_at timestamptz`,
  `alter table projects
    -- when a round that compares pull requests with GitHub came to it last; null: none did
    add column compared_at timestamptz`,
  `alter table messages
    -- the delivery that brought it; null: it came by the API, or a version before this one took it
    add column delivery_id text`,
  `alter table runs
    -- how many turns it had, once they are removed; null: they are still there
    add column removed_turns int,
    -- since when the model server gives it no usable answer; null: it did, or something else was waited for meanwhile
    add column model_down_since timestamptz`,
  `alter table effects
    -- who asked for it, where no message says so: theirs was refused, or was a stop
    add column asker json`,
  `alter table redeliveries
    -- GitHub's number of the last attempt that failed, and when that was, by its clock; null: a version before this one asked
    add column attempt_id text,
    add column failed_at timestamptz,
    -- when GitHub is to be asked to deliver it again; null: it was, and nothing has failed since, or that was the last time
    add column due_at timestamptz`,
  `alter table watermarks
    -- where a list that is read newest first goes on, of which a part up to the moment was read; null: it was read to its end
    add column page text`,
  'create index redeliveries_due on redeliveries (failed_at) where due_at is not null',
  `create table claims (
    -- of projects, which are never removed; without a reference, so that none of theirs is locked for it
    project_id text primary key,
    -- when a job of the project was last claimed: of two projects with equally many leases, the other one is next
    claimed_at timestamptz not null
  )`,
  // Of a project that is removed or has no key: few of its jobs are open.
  `create index jobs_open on jobs (project_id) where status <> 'archived'`,
  // For retention, which otherwise reads the rows that it keeps.
  `create index runs_with_turns on runs (ended_at) where phase = 'ended' and removed_turns is null`,
  `create index deliveries_processed on deliveries (processed_at) where state <> 'stored'`,
  // For metrics. Without live jobs, whose rows change all the time.
  `create index jobs_settled on jobs (status) where status <> 'active'`,
  `create index runs_by_end on runs (outcome, code) where phase = 'ended'`,
];
