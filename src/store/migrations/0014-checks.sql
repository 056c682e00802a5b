set local lock_timeout = '100ms';

lock table projects, jobs, runs, messages in access exclusive mode;

alter table messages drop constraint messages_source_check;

alter table messages add constraint messages_source_check
  check (source in ('api', 'comment', 'review', 'dashboard', 'automation', 'issue', 'checks'));

create index jobs_list_issue on jobs (project_id, status, job_id collate "C") where 'issue' = any (sources);

create index jobs_list_checks on jobs (project_id, status, job_id collate "C") where 'checks' = any (sources);

-- events of checks, statuses and deployments name a commit
create index runs_of_commit on runs (commit_sha) where commit_sha is not null;

-- the checks of the commit that a job pushed last
create table head_checks (
  job_id text primary key references jobs,
  sha text not null,
  -- when GitHub first told of them
  since timestamptz not null default now(),
  -- when one of them was first seen to fail; null: none was
  failed_at timestamptz,
  -- when GitHub is asked about them; null: nothing is open
  due_at timestamptz
);

create index head_checks_due on head_checks (due_at) where due_at is not null;

-- where the documentation of a job can be seen before it is merged
create table previews (
  job_id text primary key references jobs,
  -- of the site's start page
  url text not null,
  sha text not null
);

-- the check runs of ours, one for each head of a pull request
create table pull_request_checks (
  project_id text not null references projects,
  number int not null,
  sha text not null,
  base text not null,
  -- how often it was asked for: people may run it again
  attempt int not null default 1,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'passed')),
  -- why there is none
  reason text,
  -- at GitHub; null: there is none yet
  check_run_id bigint,
  requested_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, number, sha)
);

create index pull_request_checks_waiting on pull_request_checks (requested_at) where state = 'waiting';
