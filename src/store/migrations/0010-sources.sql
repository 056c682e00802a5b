set local lock_timeout = '100ms';

lock table jobs, messages in access exclusive mode;

-- by which sources its messages came; the default fits most existing jobs, which are then not written again
alter table jobs add column sources text[] not null default '{api}';

alter table jobs alter column sources set default '{}';

update jobs set sources = found.sources
  from (select job_id, array_agg(distinct source) as sources from messages group by job_id) found
  where jobs.job_id = found.job_id and found.sources <> '{api}';

-- a trigger, because a process of the previous version adds messages, too
create function note_source() returns trigger language plpgsql as $$ begin
  update jobs set sources = sources || new.source where job_id = new.job_id and new.source <> all (sources);
  return null;
end $$;

create trigger messages_source after insert on messages for each row execute function note_source();

-- one source and one status at a time: a list costs the same however many jobs have others
create index jobs_list_api on jobs (project_id, status, job_id collate "C") where 'api' = any (sources);

create index jobs_list_dashboard on jobs (project_id, status, job_id collate "C") where 'dashboard' = any (sources);

create index jobs_list_comment on jobs (project_id, status, job_id collate "C") where 'comment' = any (sources);

create index jobs_list_review on jobs (project_id, status, job_id collate "C") where 'review' = any (sources);
