-- What the public doors remember for a while: solved bot checks, tickets, idempotency keys, accepted requests.
-- No personal data: tickets, keys and sources are stored as hashes.
create schema if not exists state;

-- A solved challenge counts once. `challenge` is its nonce; the row may go when the challenge is dead anyway.
create table state.bot_check_spent (
  challenge text primary key,
  expires_at timestamptz not null
);
create index bot_check_spent_expiry on state.bot_check_spent (expires_at);

-- What a solved challenge buys: one post and some uploads.
create table state.bot_check_tickets (
  ticket_hash text primary key,
  scope text not null,
  posts_left smallint not null check (posts_left >= 0),
  media_left smallint not null check (media_left >= 0),
  expires_at timestamptz not null
);
create index bot_check_tickets_expiry on state.bot_check_tickets (expires_at);

-- One row per Idempotency-Key and door: a repeat finds the result's id, another body under the same key is refused.
create table state.idempotency (
  scope text not null,
  key_hash text not null,
  body_hash text not null,
  result_id text not null,
  expires_at timestamptz not null,
  primary key (scope, key_hash)
);
create index idempotency_expiry on state.idempotency (expires_at);

-- Which requests the public forms let in during the last day: what the limits per source and per business count.
create table state.intake (
  job_id text primary key,
  business_id text not null,
  source_hash text not null,
  accepted_at timestamptz not null,
  expires_at timestamptz not null
);
create index intake_business on state.intake (business_id, accepted_at);
create index intake_source on state.intake (source_hash, accepted_at);
create index intake_expiry on state.intake (expires_at);
