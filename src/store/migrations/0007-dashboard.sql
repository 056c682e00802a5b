-- people who are signed in to the dashboard
create table sessions (
  -- of the secret in the browser's cookie
  sha256 bytea primary key,
  -- GitHub's number and login of the person, as they were at the sign-in
  user_id bigint not null,
  login text not null,
  created_at timestamptz not null default now(),
  -- at most a minute earlier than the last request
  used_at timestamptz not null default now()
);

create index sessions_user on sessions (user_id);
