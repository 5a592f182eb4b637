-- What a registration needs beside its events: the secret's hash, codes, the password's hash, what was sent and asked for.
-- No email, mobile, code or password stands in here in the clear, and every row has an end.

-- A draft that is gone on with by the secret of its browser: `registration_id` is the SHA-256 of that.
create table state.registrations (
  registration_id text primary key,
  source_hash text not null,
  -- What the browser said of itself when it began.
  screen_width integer,
  screen_height integer,
  colour_depth smallint,
  language text,
  timezone_offset smallint,
  -- How many codes it was sent in all its life.
  codes_sent smallint not null default 0,
  -- Hash of the key under which its completion may be asked for again.
  completion_key_hash text,
  -- Until when the secret opens anything; what is personal in the draft's events is forgotten then.
  expires_at timestamptz not null,
  -- The answers so far and what was verified, as JSON: iv (12 bytes), tag (16), AES-256-GCM under the key of the subject
  -- `registration-<registration_id>`. Null before the first answer and after the end. The log holds the milestones alone.
  draft bytea,
  -- Counts changes: of two at once, the later one is decided anew.
  draft_revision integer not null default 0
);
create index registrations_expiry on state.registrations (expires_at);

-- The codes of a draft, a row for each message that carries one: a code that is asked for again leaves the one before valid, and
-- they share their tries. A code is made when its message goes out, and dies with its minutes, its tries or another mobile.
create table state.registration_codes (
  registration_id text not null,
  message_id uuid not null,
  phone_key bytea not null,
  code_hmac bytea,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  primary key (registration_id, message_id)
);
create index registration_codes_expiry on state.registration_codes (expires_at);

-- The hash of a password whose account is not open yet.
create table state.pending_credentials (
  registration_id text primary key,
  hash text not null,
  expires_at timestamptz not null
);
create index pending_credentials_expiry on state.pending_credentials (expires_at);

-- Which emails and mobiles a draft asked about: hashes, a few each. Each kind counts apart.
create table state.registration_emails (
  registration_id text not null,
  email_key bytea not null,
  expires_at timestamptz not null,
  kind text not null default 'email' check (kind in ('email', 'mobile')),
  primary key (registration_id, email_key)
);
create index registration_emails_expiry on state.registration_emails (expires_at);

-- Codes sent during the last day, by mobile and by neighbourhood: what the budget counts.
create table state.code_messages (
  message_id uuid primary key,
  number_hash text not null,
  source_hash text not null,
  sent_at timestamptz not null,
  verified_at timestamptz,
  expires_at timestamptz not null
);
create index code_messages_number on state.code_messages (number_hash, sent_at);
create index code_messages_source on state.code_messages (source_hash, sent_at);
create index code_messages_sent on state.code_messages (sent_at);
create index code_messages_expiry on state.code_messages (expires_at);
