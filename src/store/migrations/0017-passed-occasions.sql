set local lock_timeout = '100ms';

lock table occasions in access exclusive mode;

-- for retention, which otherwise reads the rows that it keeps
create index occasions_passed on occasions (finished_at) where state = 'passed';
