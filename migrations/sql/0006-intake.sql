-- What is stored of public forms for a while: solved bot checks, tickets, idempotency keys, accepted requests.
-- No personal data: tickets, keys and sources are stored as hashes.

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
  -- Whether the bot check behind it was made at all, and when the browser began with it.
  checked boolean not null default true,
  begun_at timestamptz not null default '-infinity',
  -- How many times the work of a plain bot check was done for it.
  price smallint not null default 1 check (price between 1 and 4),
  -- Whether a refused post with it was counted for the price of a form: each ticket raises that once.
  counted boolean not null default false,
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
  -- How it came: with a bot check, as a page without JavaScript, or while the provider of the bot check was unavailable.
  -- Each channel is counted by itself.
  channel text not null default 'checked' check (channel in ('checked', 'page', 'unavailable')),
  -- Why it was let in without alerting the business; null for most.
  held_for text check (held_for in ('rush', 'unchecked')),
  accepted_at timestamptz not null,
  expires_at timestamptz not null
);
create index intake_business on state.intake (business_id, channel, accepted_at);
create index intake_source on state.intake (source_hash, channel, accepted_at);
create index intake_expiry on state.intake (expires_at);

-- Requests that came to the form of a business, accepted or refused, by the minute: what raises the work of its bot check.
create table state.form_requests (
  business_id text not null,
  minute timestamptz not null,
  requests integer not null,
  expires_at timestamptz not null,
  primary key (business_id, minute)
);
create index form_requests_expiry on state.form_requests (expires_at);
