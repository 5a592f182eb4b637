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

-- Up to which event of the account its claims were brought, so that a late repeat cannot take back a newer address.
alter table state.credentials add column claims_revision integer not null default -1;
