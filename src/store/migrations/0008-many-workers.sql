set local lock_timeout = '100ms';

lock table claims in access exclusive mode;

-- of the last claim; null: before this migration
alter table claims add column worker text;

-- processes that claim jobs
create table workers (
  name text primary key,
  -- how many runs at once
  slots integer not null,
  seen_at timestamptz not null
);
