-- As in 0002: in a deadlock this migration fails, and `migrate` retries.
set local lock_timeout = '100ms';

lock table deliveries, jobs, messages, runs, effects in access exclusive mode;

lock table installations, projects in access exclusive mode;

lock table redeliveries, watermarks in access exclusive mode;

alter table installations
  -- when its write bucket is full again: each write moves this later
  add column writes_until timestamptz,
  -- when it was last compared with GitHub; null: never
  add column compared_at timestamptz;

alter table projects
  -- when its pull requests were last compared with GitHub; null: never
  add column compared_at timestamptz;

alter table messages
  -- the delivery that brought it; null: it came by the API, or before this migration
  add column delivery_id text;

alter table runs
  -- how many turns the retention removed; null: none
  add column removed_turns int,
  -- since when the model server gives no usable answer; null: it did, or the run waited for something else meanwhile
  add column model_down_since timestamptz;

alter table effects
  -- who asked for it, if no message says so: the comment was refused, or was a stop
  add column asker json;

alter table redeliveries
  -- GitHub's number of the last failed attempt, and its time by GitHub's clock; null: recorded before this migration
  add column attempt_id text,
  add column failed_at timestamptz,
  -- when to ask GitHub for the next redelivery; null: the last one has not failed, or was the last try
  add column due_at timestamptz;

alter table watermarks
  -- the next page of a list that is read newest first; null: it was read to its end
  add column page text;

create index redeliveries_due on redeliveries (failed_at) where due_at is not null;

create table claims (
  -- without a foreign key, so that a claim locks no row of projects; those are never deleted
  project_id text primary key,
  -- when a job of the project was last claimed: of two projects with equally many leases, the older claim is next
  claimed_at timestamptz not null
);

-- For projects that are removed or have no key: few of their jobs are open.
create index jobs_open on jobs (project_id) where status <> 'archived';

-- For retention, which otherwise reads the rows that it keeps.
create index runs_with_turns on runs (ended_at) where phase = 'ended' and removed_turns is null;

create index deliveries_processed on deliveries (processed_at) where state <> 'stored';

-- For metrics. Without live jobs, whose rows change all the time.
create index jobs_settled on jobs (status) where status <> 'active';

create index runs_by_end on runs (outcome, code) where phase = 'ended';
