-- Mail and SMS on their way out. A row says what is to be said to whom by ids alone: addresses, words, links and codes are
-- found and made as it is sent, so that neither a copy of this table nor a dead letter gives anything away.
create table state.outbox (
  id uuid primary key,
  kind text not null,
  business_id text,
  job_id text,
  data jsonb not null default '{}',
  standing text not null default 'waiting' check (standing in ('waiting', 'sent', 'unwanted', 'cancelled', 'dead')),
  queued_at timestamptz not null,
  -- From when it may be sent; a day later it is given up.
  wanted_at timestamptz not null,
  -- When it is tried next. A row is inserted with its `wanted_at` here.
  due_at timestamptz not null,
  -- After this it is of no use to anybody, and is not sent.
  expires_at timestamptz,
  attempts integer not null default 0,
  -- Until when somebody is sending it, by the clock of the database.
  leased_until timestamptz,
  -- Why the last try failed, in words that name no address.
  failure text,
  settled_at timestamptz
);
-- What expires goes before what can wait.
create index outbox_waiting on state.outbox ((expires_at is null), due_at) where standing = 'waiting';
create index outbox_dead on state.outbox (wanted_at) where standing = 'dead';
create index outbox_job on state.outbox (job_id) where standing in ('waiting', 'dead');

-- What the embedded mail and SMS took, for the page /dev/outbox. Sealed: the words hold links, codes and addresses.
create table state.outbox_page (
  id text primary key,
  n bigint generated always as identity,
  channel text not null check (channel in ('mail', 'sms')),
  taken_at timestamptz not null,
  sealed bytea not null
);
create index outbox_page_newest on state.outbox_page (n);
