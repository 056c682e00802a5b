-- `json`, where text must be read back verbatim: `jsonb` reorders keys, which invalidates a model provider's cache.
create table installations (
  installation_id bigint primary key,
  account text not null,
  suspended_at timestamptz,
  -- no request of this installation before then: GitHub refused one with a rate limit
  blocked_until timestamptz
);

create table projects (
  project_id text primary key,
  repository_id bigint not null unique,
  installation_id bigint not null references installations,
  owner text not null,
  repo text not null,
  default_branch text not null,
  -- the repository or the installation is gone; set back to null when it comes back
  removed_at timestamptz,
  created_at timestamptz not null default now()
);

create index projects_installation on projects (installation_id);

create index projects_name on projects (lower(owner), lower(repo)) where removed_at is null;

create table api_keys (
  key_id text primary key,
  project_id text not null references projects,
  sha256 bytea not null unique check (length(sha256) = 32),
  name text not null,
  last4 text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_project on api_keys (project_id);

create table jobs (
  job_id text primary key,
  project_id text not null references projects,
  status text not null check (status in ('active', 'completed', 'failed', 'archived')),
  base text not null,
  -- null until the branch exists on GitHub
  branch text,
  model text not null,
  draft boolean not null,
  pull_request_number int,
  pull_request_url text,
  -- the title that we wrote last: another one on GitHub is a person's
  pull_request_title text,
  -- GitHub's updated_at of the newest pull request event that was applied
  pull_request_updated_at timestamptz,
  next_seq int not null default 1,
  -- when the job needs a worker; null: never
  due_at timestamptz,
  lease_epoch int not null default 0,
  -- null with a due job: given back, not lost
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  constraint jobs_archived check ((status = 'archived') = (archived_at is not null)),
  constraint jobs_due check (status = 'active' or due_at is null),
  constraint jobs_branch unique (project_id, branch),
  constraint jobs_pull_request unique (project_id, pull_request_number)
);

create index jobs_due on jobs (due_at) where due_at is not null;

create index jobs_leased on jobs (lease_until) where lease_until is not null;

create table runs (
  run_id text primary key,
  job_id text not null references jobs,
  number int not null,
  phase text not null default 'working' check (phase in ('working', 'publishing', 'ended')),
  base_sha text,
  -- the result; the code says more
  outcome text check (outcome in ('completed', 'failed')),
  code text,
  sentence text,
  -- interruptions since the last answer of the model: lost workers and unexpected errors
  takeovers int not null default 0,
  -- how often a person's push, or a base that moved, sent the run back to the agent
  rebases int not null default 0,
  stop_requested boolean not null default false,
  -- since when it only waits for an outside system; null while it makes progress
  waiting_since timestamptz,
  -- text at the beginning of the next new turn; cleared by the transaction that opens it
  notice text,
  active_ms bigint not null default 0,
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  -- what will be published, frozen before the first effect
  publication json,
  commit_sha text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (job_id, number),
  constraint runs_ended check ((phase = 'ended') = (ended_at is not null and outcome is not null and code is not null))
);

create unique index runs_one_not_ended on runs (job_id) where phase <> 'ended';

create table messages (
  message_id text primary key,
  job_id text not null references jobs,
  seq int not null,
  source text not null check (source in ('api', 'comment', 'review', 'dashboard')),
  -- identifies the message if it arrives twice: the id of its comment, else its own id
  source_key text not null,
  author text not null,
  prompt text not null,
  context json,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'answered', 'dropped')),
  -- why it was dropped
  reason text,
  run_id text references runs,
  turn_index int,
  created_at timestamptz not null default now(),
  unique (job_id, seq),
  unique (job_id, source_key)
);

create index messages_run on messages (run_id);

create table turns (
  run_id text not null references runs,
  turn_index int not null,
  inputs json not null,
  answer json,
  results json,
  opened_at timestamptz not null default now(),
  primary key (run_id, turn_index)
);

create table run_files (
  run_id text not null references runs,
  path text not null,
  -- null: deleted
  content bytea,
  primary key (run_id, path)
);

create table effects (
  job_id text not null references jobs,
  key text not null,
  run_id text references runs,
  message_id text references messages,
  epoch int not null,
  state text not null check (state in ('intended', 'done')),
  request json not null,
  response json,
  external_id text,
  intended_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (job_id, key)
);

create index effects_run on effects (run_id);

create table deliveries (
  delivery_id text primary key,
  event text not null,
  action text,
  repository_id bigint,
  fields json not null,
  state text not null default 'stored' check (state in ('stored', 'done', 'ignored')),
  reason text,
  received_at timestamptz not null default now(),
  processed_at timestamptz
);

create index deliveries_stored on deliveries (received_at) where state = 'stored';

create table rate_counters (
  project_id text not null references projects,
  window_start timestamptz not null,
  used int not null,
  primary key (project_id, window_start)
);
