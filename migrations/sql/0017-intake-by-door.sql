-- By which door a request came: with a bot check, as a page without JavaScript, or while the bot check's provider was
-- unavailable. Each door counts its own.
alter table state.intake add column door text not null default 'checked' check (door in ('checked', 'page', 'away'));
drop index state.intake_business;
create index intake_business on state.intake (business_id, door, accepted_at);
drop index state.intake_source;
create index intake_source on state.intake (source_hash, door, accepted_at);

-- Requests that came to the form of a business, accepted or refused, by the minute: what raises the work of its bot check.
create table state.form_requests (
  business_id text not null,
  minute timestamptz not null,
  requests integer not null,
  expires_at timestamptz not null,
  primary key (business_id, minute)
);
create index form_requests_expiry on state.form_requests (expires_at);

-- How many times the work of a plain bot check was done for a ticket.
alter table state.bot_check_tickets add column price smallint not null default 1 check (price between 1 and 4);
