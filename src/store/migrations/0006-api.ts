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
  // of the next event; raising it locks the job until the commit, so that events are gapless and in order
  'alter table jobs add column next_event integer not null default 1',
  // what happened to a job, in the order of the commits
  `create table events (
    job_id text not null references jobs,
    -- from 1, without gaps
    seq integer not null,
    type text not null,
    data json not null,
    at timestamptz not null,
    primary key (job_id, seq)
  )`,
  // answers to accepted requests, for their repetitions
  `create table idempotency_keys (
    project_id text not null references projects,
    -- the value of the header Idempotency-Key
    key text not null,
    -- of the route, the job and the body that the key belongs to
    fingerprint bytea not null check (length(fingerprint) = 32),
    -- {status, headers, body}: what the first request was answered
    answer json not null,
    created_at timestamptz not null default now(),
    primary key (project_id, key)
  )`,
  'create index idempotency_keys_created on idempotency_keys (created_at)',
];
