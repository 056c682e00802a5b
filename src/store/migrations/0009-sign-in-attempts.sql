-- attempts to sign in to the dashboard, by the network address they came from
create table sign_in_attempts (
  -- of the address
  sha256 bytea primary key,
  window_start timestamptz not null,
  used int not null
);
