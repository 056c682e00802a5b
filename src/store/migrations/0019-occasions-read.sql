set local lock_timeout = '100ms';

lock table projects in access exclusive mode;

alter table projects
  -- when GitHub was last asked for merges and releases that nobody told of; null: never
  add column occasions_read_at timestamptz;
