set local lock_timeout = '100ms';

lock table projects, jobs, messages in access exclusive mode;

alter table messages drop constraint messages_source_check;

alter table messages add constraint messages_source_check
  check (source in ('api', 'comment', 'review', 'dashboard', 'automation'));

alter table jobs
  -- the name of the automation that it began with; null: somebody asked for it
  add column automation text;

create index jobs_list_of_automation on jobs (project_id, automation, status, job_id collate "C") where automation is not null;

create index jobs_list_automation on jobs (project_id, status, job_id collate "C") where 'automation' = any (sources);

-- standing instructions, as the settings of the project say
create table automations (
  project_id text not null references projects,
  name text not null,
  setting json not null,
  -- of the repository of its occasions, at GitHub; null: it is not known, or there is none
  repository_id bigint,
  -- why nothing triggers it; null: nothing keeps it from that
  broken text,
  -- why what waits has to wait longer; null: it does not
  held text,
  -- what happened before is no occasion
  since timestamptz not null default now(),
  paused_at timestamptz,
  -- when what waits is taken up; null: nothing waits
  due_at timestamptz,
  -- the next time of its schedule; null: it has none
  scheduled_at timestamptz,
  -- the job that took up the last occasions
  job_id text references jobs,
  -- when the settings lost it; the row stays, for the occasions that were taken up
  removed_at timestamptz,
  primary key (project_id, name)
);

create index automations_due on automations (least(due_at, scheduled_at)) where paused_at is null and removed_at is null;

create index automations_of_repository on automations (repository_id) where repository_id is not null and removed_at is null;

-- what triggered automations, each once for each of them
create table occasions (
  project_id text not null references projects,
  automation text not null,
  -- what it is, the same however often it is told
  key text not null,
  subject json not null,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'passed')),
  -- why it was passed over
  reason text,
  -- what took it up
  message_id text references messages,
  -- by GitHub's clock
  occurred_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, automation, key)
);

create index occasions_waiting on occasions (project_id, automation, occurred_at) where state = 'waiting';

create index occasions_finished on occasions (project_id, automation, state, finished_at) where state <> 'waiting';

create index occasions_taken on occasions (project_id, finished_at) where state = 'taken';

create index occasions_of_message on occasions (message_id) where message_id is not null;
