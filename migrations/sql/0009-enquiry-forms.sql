-- What a ticket says of the bot check behind it: whether it was made at all, and when the browser began with it.
alter table state.bot_check_tickets
  add column checked boolean not null default true,
  add column begun_at timestamptz not null default '-infinity';

-- Why a request was let in without alerting anybody; null for most.
alter table state.intake add column held_for text check (held_for in ('rush', 'unchecked'));

-- Requests that nobody was alerted to: few, so that they stand apart from the cards. `held_for` null: answered since.
create table read.held_jobs (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  held_for text,
  revision integer not null
);
create index held_jobs_waiting on read.held_jobs (business_id) where held_for is not null;
