-- As in 0002: in a deadlock this migration fails, and `migrate` retries.
set local lock_timeout = '100ms';

lock table jobs, messages, turns in access exclusive mode;

-- one status at a time, so that a list costs the same however many jobs have another one
-- in another order than the primary key’s, which the planner would read to its end for a status of few jobs
create index jobs_list on jobs (project_id, status, job_id collate "C");

alter table turns
  -- when its results were stored; null: not yet, or by an earlier release
  add column finished_at timestamptz;

-- seq of the next event; raising it locks the job until the commit, so that events are gapless and in order
alter table jobs add column next_event integer not null default 1;

-- what happened to a job, in the order of the commits
create table events (
  job_id text not null references jobs,
  -- from 1, without gaps
  seq integer not null,
  type text not null,
  data json not null,
  at timestamptz not null,
  primary key (job_id, seq)
);

-- answers to accepted requests, for their repetitions
create table idempotency_keys (
  project_id text not null references projects,
  -- the value of the header Idempotency-Key
  key text not null,
  -- of the route, the job and the body that the key belongs to
  fingerprint bytea not null check (length(fingerprint) = 32),
  -- {status, headers, body}: the answer to the first request
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (project_id, key)
);

create index idempotency_keys_created on idempotency_keys (created_at);

-- addresses of callers that receive how their jobs end
create table webhooks (
  webhook_id text primary key,
  project_id text not null references projects,
  url text not null,
  events json not null,
  -- encrypted, as previous_secret is
  secret bytea not null,
  previous_secret bytea,
  -- until then previous_secret signs, too
  previous_secret_until timestamptz,
  -- the first failure since the last success
  failing_since timestamptz,
  -- when it was switched off, and why
  disabled_at timestamptz,
  disabled_reason text,
  -- the retention removes its deliveries, then the row
  removed_at timestamptz,
  created_at timestamptz not null default now()
);

create index webhooks_list on webhooks (project_id, webhook_id) where removed_at is null;

-- one per webhook and event
create table webhook_deliveries (
  delivery_id text primary key,
  webhook_id text not null references webhooks,
  -- the order of the events of a job
  seq bigint generated always as identity,
  type text not null,
  job_id text references jobs,
  run_id text references runs,
  -- the job as it was at the event, for the body
  job json,
  -- when it happened
  at timestamptz not null default now(),
  -- made at the first try; every try sends the same
  body text,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  -- until then a process sends it; null: none does
  claimed_until timestamptz,
  tried_at timestamptz,
  -- of the last try: the HTTP status, and what went wrong
  response_status integer,
  error text,
  finished_at timestamptz
);

create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, job_id, seq) where state = 'waiting';

create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'waiting';

-- of one webhook, so that what waits for others costs nothing
create index webhook_deliveries_next on webhook_deliveries (webhook_id, due_at, seq) where state = 'waiting';

create index webhook_deliveries_claimed on webhook_deliveries (claimed_until) where claimed_until is not null;

create index webhook_deliveries_list on webhook_deliveries (webhook_id, seq);

create index webhook_deliveries_old on webhook_deliveries (finished_at) where state <> 'waiting';

-- the API key that sent it; null: none did, or an earlier release stored it
alter table messages add column key_id text references api_keys;

-- what runs that have ended used
create table usage (
  project_id text not null references projects,
  -- in UTC, when the runs ended
  day date not null,
  model text not null,
  -- of the message that opened each run; empty: a comment, a review or a person did
  key_id text not null,
  runs integer not null,
  turns bigint not null,
  -- with tokens_cached
  tokens_in bigint not null,
  tokens_cached bigint not null,
  tokens_out bigint not null,
  primary key (project_id, day, model, key_id)
);
