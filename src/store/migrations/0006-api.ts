import { type Kysely, sql } from 'kysely';

/** Only adds, so that a process of the previous version can continue. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  // As in 0002: in a deadlock this migration fails, and `migrate` retries.
  `set local lock_timeout = '100ms'`,
  'lock table jobs, turns in access exclusive mode',
  // one status at a time, so that a list costs the same however many jobs have another one
  'create index jobs_list on jobs (project_id, status, job_id)',
  `alter table turns
    -- when its results were stored; null: not yet, or by an earlier release
    add column finished_at timestamptz`,
];
