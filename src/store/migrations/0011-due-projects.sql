set local lock_timeout = '100ms';

lock table jobs in access exclusive mode;

-- a claim finds the projects with due jobs, and the job of each that is due longest, without reading the others
create index jobs_due_of_project on jobs (project_id, due_at, job_id) where due_at is not null;
