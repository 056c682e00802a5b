import { type Kysely, sql } from 'kysely';

/** Only adds, so that a process of the previous version can continue. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  // First of all and below PostgreSQL's deadlock_timeout of a second: if a process of the previous version holds one lock and waits for
  // another, this migration fails and `migrate` retries.
  `set local lock_timeout = '100ms'`,
  'lock table deliveries, jobs, projects, messages, runs, effects in access exclusive mode',
  `alter table deliveries
    -- of a remark: the review that it is part of
    add column review_id bigint`,
  `alter table projects
    -- what .github/pagewright.yml says; null: never read
    add column settings json,
    -- what is wrong with it, one sentence each; the defaults are used then
    add column settings_problems json not null default '[]',
    -- when that was read: what was read before then is not stored any more
    add column settings_read_at timestamptz,
    -- of the list of open pull requests, for asking whether it has changed
    add column pull_requests_etag text`,
  `alter table jobs
    -- GitHub's date of the newest comment that said stop: what was written before it is not started any more
    add column stopped_at timestamptz,
    -- why it is archived, of those that are archived since
    add column archive_reason text`,
  `alter table messages
    -- when its author wrote it, by the clock of where they did
    add column written_at timestamptz not null default now()`,
  `alter table runs
    -- what did not work out though the run did, one sentence each
    add column warnings json not null default '[]',
    -- the commit of the base that this run merges into the branch
    add column merged_base_sha text`,
  `alter table effects
    -- how often it was tried
    add column tries int not null default 0,
    drop constraint effects_state_check,
    -- refused: GitHub does not take it, and why is in the response. What is there need not be read again: it met the narrower one.
    add constraint effects_state_check check (state in ('intended', 'done', 'refused')) not valid`,
  `create index effects_promised on effects (intended_at) where state = 'intended' and epoch = 0`,
  'create index deliveries_review on deliveries (repository_id, review_id) where review_id is not null',
  'create index jobs_unrecorded on jobs (project_id) where pull_request_number is null and branch is not null',
  `create index jobs_watched on jobs (project_id)
    where pull_request_number is not null and (status <> 'archived' or archive_reason = 'closed')`,
  `create table redeliveries (
    delivery_id text primary key,
    -- how often GitHub was asked to deliver it again
    tries int not null,
    asked_at timestamptz not null
  )`,
  `create table watermarks (
    -- whose
    name text primary key,
    -- everything before then has been seen to; of an "unstated block …": when that began
    moment timestamptz not null
  )`,
];
