set local lock_timeout = '100ms';

lock table jobs in access exclusive mode;

alter table jobs
  -- the issue, or the pull request of somebody else, where people asked for it; null: they asked elsewhere
  add column asked_on int;

create index jobs_asked_on on jobs (project_id, asked_on) where asked_on is not null;
