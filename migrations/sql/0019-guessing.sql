-- Which emails and mobiles a draft asked about: each kind counts apart.
alter table state.registration_emails add column kind text not null default 'email' check (kind in ('email', 'mobile'));

-- Which accounts a network gave a wrong password for in the last hour, both as hashes: one network that tries many.
create table state.login_failures (
  network_hash text not null,
  account_hash text not null,
  expires_at timestamptz not null,
  primary key (network_hash, account_hash)
);
create index login_failures_expiry on state.login_failures (expires_at);
