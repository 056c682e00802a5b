-- First of all and below PostgreSQL's deadlock_timeout of a second: if a process of the previous version holds one lock and waits for
-- another, this migration fails and `migrate` retries.
set local lock_timeout = '100ms';

lock table deliveries, jobs, projects, messages, runs, effects in access exclusive mode;

alter table deliveries
  -- of a review comment: its review
  add column review_id bigint;

alter table projects
  -- the settings of .github/pagewright.yml; null: never read
  add column settings json,
  -- mistakes in that file, one sentence each; the defaults apply then
  add column settings_problems json not null default '[]',
  -- when the file was read; an earlier reading is not stored any more
  add column settings_read_at timestamptz,
  -- of the list of open pull requests, for asking whether it has changed
  add column pull_requests_etag text;

alter table jobs
  -- GitHub's date of the newest stop comment: messages written before it are not started any more
  add column stopped_at timestamptz,
  -- why it was archived; null in jobs archived before this migration
  add column archive_reason text;

alter table messages
  -- when its author wrote it, by the clock of its source
  add column written_at timestamptz not null default now();

alter table runs
  -- failures that did not fail the run, one sentence each
  add column warnings json not null default '[]',
  -- the commit of the base that this run merges into the branch
  add column merged_base_sha text;

alter table effects
  -- how often it was tried
  add column tries int not null default 0,
  drop constraint effects_state_check,
  -- refused: GitHub refuses it; the response holds the reason. Not valid: existing rows met the narrower check.
  add constraint effects_state_check check (state in ('intended', 'done', 'refused')) not valid;

create index effects_promised on effects (intended_at) where state = 'intended' and epoch = 0;

create index deliveries_review on deliveries (repository_id, review_id) where review_id is not null;

create index jobs_unrecorded on jobs (project_id) where pull_request_number is null and branch is not null;

create index jobs_watched on jobs (project_id)
  where pull_request_number is not null and (status <> 'archived' or archive_reason = 'closed');

create table redeliveries (
  delivery_id text primary key,
  -- how often GitHub was asked to deliver it again
  tries int not null,
  asked_at timestamptz not null
);

create table watermarks (
  -- of the process or list that it belongs to
  name text primary key,
  -- everything before it is processed; of an "unstated block …": when the block began
  moment timestamptz not null
);
