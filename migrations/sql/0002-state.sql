-- What must be changed in place and is never an event: credentials, sessions, claims, limits.
create schema if not exists state;

-- One row per account. `hash` is a PHC string with its own parameters.
create table state.credentials (
  account_id uuid primary key,
  business_id uuid not null,
  hash text not null,
  changed_at timestamptz not null
);

-- A signed-in browser. The bearer token names the row; a token without a live row is dead.
create table state.sessions (
  id text primary key,
  account_id uuid not null,
  business_id uuid not null,
  remember boolean not null,
  device text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_account on state.sessions (account_id) where revoked_at is null;
create index sessions_by_expiry on state.sessions (expires_at);

-- Who has an email, mobile or slug. `key` is an HMAC; `held` ends at `expires_at`, `kept` never.
create table state.claims (
  kind text not null check (kind in ('email', 'mobile', 'slug')),
  key bytea not null,
  owner uuid not null,
  standing text not null check (standing in ('held', 'kept')),
  expires_at timestamptz,
  primary key (kind, key),
  check ((standing = 'held') = (expires_at is not null))
);
create index claims_by_owner on state.claims (owner);
create index claims_by_expiry on state.claims (expires_at) where expires_at is not null;

-- Counters of rate-limiter-flexible; a crash may forget them.
create unlogged table state.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_by_expiry on state.rate_limits (expire);
