-- As in 0002: in a deadlock this migration fails, and `migrate` retries.
set local lock_timeout = '100ms';

lock table runs, turns in access exclusive mode;

alter table turns
  -- {answer, results} as they were before answer and results were compacted; null: they were not
  add column original json,
  -- the turn before whose request they were compacted last; null: they were not
  add column compacted_for integer;

-- of tokens_in, those that the provider had cached
alter table runs add column tokens_cached bigint not null default 0;
