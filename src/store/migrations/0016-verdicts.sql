set local lock_timeout = '100ms';

lock table jobs, head_checks in access exclusive mode;

alter table jobs
  -- the size of the pull request, as GitHub told of it last; null: it has not yet
  add column changed_files int,
  add column additions int,
  add column deletions int,
  add column size_at timestamptz;

alter table head_checks
  -- when GitHub was asked last; null: it has not been, or there are none
  add column state text check (state in ('pending', 'failing', 'passing')),
  -- the names and addresses of those that fail
  add column failing json;

-- the last word of each reviewer of a job's pull request
create table pull_request_reviews (
  job_id text not null references jobs,
  user_id bigint not null,
  login text not null,
  state text not null check (state in ('approved', 'changes_requested', 'dismissed')),
  submitted_at timestamptz not null,
  primary key (job_id, user_id)
);
