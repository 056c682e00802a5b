set local lock_timeout = '100ms';

lock table projects, messages, runs in access exclusive mode;

-- repositories that runs of a project may read, as they were found last
create table context_repositories (
  project_id text not null references projects,
  -- as the settings name it, in lower case
  name text not null,
  -- where it was found: it is followed by this id; null: never
  repository_id bigint,
  installation_id bigint,
  owner text,
  repo text,
  -- 'ready', or why it is not read
  state text not null,
  -- for people: what is missing, and where; null: nothing
  problem text,
  checked_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- settings of a repository concern the projects that it is a context of
create index context_repositories_repository on context_repositories (repository_id);

-- pull requests that a message names, as they were when it was accepted
create table message_changes (
  message_id text not null references messages,
  position integer not null,
  data json not null,
  primary key (message_id, position)
);

alter table runs
  -- the context repositories that the run reads, each with its commit; null: not known yet
  add column context json;
