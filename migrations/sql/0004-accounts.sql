-- What must be changed in place and is never an event: credentials, sessions, reservations, links, limits.

-- One row per account. `hash` is a PHC string with its own parameters.
create table state.credentials (
  account_id uuid primary key,
  business_id uuid not null,
  hash text not null,
  changed_at timestamptz not null,
  -- Up to which event of the account its reservations were brought, so that a late repeat cannot take back a newer address.
  reservations_revision integer not null default -1
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

-- The exclusive right to an email, a mobile or a public address (`slug`). `key` is an HMAC; `held` ends at `expires_at`, `kept`
-- never. `left`: an address that a business left, which leads to its new one until `expires_at` and is given to no other.
create table state.reservations (
  kind text not null check (kind in ('email', 'mobile', 'slug')),
  key bytea not null,
  owner uuid not null,
  status text not null check (status in ('held', 'kept', 'left')),
  expires_at timestamptz,
  -- What an address is compared by: the HMAC of its skeleton. Addresses that read alike have the same one.
  skeleton bytea,
  primary key (kind, key),
  constraint reservations_expiry_check check ((status = 'kept') = (expires_at is null)),
  constraint reservations_skeleton_check check ((kind = 'slug') = (skeleton is not null))
);
create index reservations_by_owner on state.reservations (owner);
create index reservations_by_expiry on state.reservations (expires_at) where expires_at is not null;
create index reservations_by_skeleton on state.reservations (skeleton) where skeleton is not null;

-- The one link that may set an account's password anew; the newest replaces the one before. A used one stays for a while,
-- so that a mail which is sent twice does not bring it back to life.
create table state.reset_tokens (
  account_id uuid primary key,
  token_hash bytea not null unique,
  -- When the link was asked for: the late repeat of an older mail does not replace a newer link.
  asked_at timestamptz not null,
  good_until timestamptz not null,
  used_at timestamptz,
  expires_at timestamptz not null
);
create index reset_tokens_by_expiry on state.reset_tokens (expires_at);

-- An email or mobile that an account is to have once its owner has confirmed it. The value is sealed. The secret that
-- confirms it went out in a message: only its hash is here, and none until that message was composed.
create table state.contact_changes (
  account_id uuid not null,
  kind text not null check (kind in ('email', 'mobile')),
  change_id uuid not null unique,
  sealed bytea not null,
  secret_hash bytea unique,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  primary key (account_id, kind)
);
create index contact_changes_by_expiry on state.contact_changes (expires_at);

-- Links in welcome mails, by which the holder of an account shows that its email is theirs. Only the hash of what stands in
-- the link is stored, and a keyed hash of the address that it went to. That it was pressed stands in the log.
create table state.email_confirmations (
  token_hash bytea primary key,
  account_id text not null,
  email_key bytea not null,
  expires_at timestamptz not null
);
create index email_confirmations_by_expiry on state.email_confirmations (expires_at);

-- Which accounts a network gave a wrong password for in the last hour, both as hashes: one network that tries many.
create table state.login_failures (
  network_hash text not null,
  account_hash text not null,
  expires_at timestamptz not null,
  primary key (network_hash, account_hash)
);
create index login_failures_expiry on state.login_failures (expires_at);

-- Counters of rate-limiter-flexible; a crash may forget them.
create unlogged table state.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_by_expiry on state.rate_limits (expire);
