-- As in 0002: in a deadlock this migration fails, and `migrate` retries.
set local lock_timeout = '100ms';

alter table projects
  -- the last settings without a mistake: they apply while the file has mistakes; null: none were read
  add column good_settings json,
  -- the commit that a run read them from; null: they were read without one
  add column good_settings_sha text;
