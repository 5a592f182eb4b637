-- What an operator announces to those who subscribed. The words are the operator's own.
create table state.announcements (
  id text primary key,
  kind text not null check (kind in ('product-update', 'newsletter')),
  subject text not null,
  body text not null,
  begun_at timestamptz not null,
  -- From then on nothing of it goes out.
  cancelled_at timestamptz
);

-- Mail and SMS on their way out. A row says what is to be said to whom by ids alone: addresses, words, links and codes are
-- found and made as it is sent, so that neither a copy of this table nor a dead letter gives anything away.
create table state.outbox (
  id uuid primary key,
  kind text not null,
  business_id text,
  job_id text,
  data jsonb not null default '{}',
  -- Mail that waits until a business confirms its email is `held` while it may still go out, `lapsed` once the day is over in
  -- which it is of use: neither is a failure that an operator must look at.
  delivery_status text not null default 'waiting'
    check (delivery_status in ('waiting', 'held', 'sent', 'discarded', 'cancelled', 'lapsed', 'dead')),
  queued_at timestamptz not null,
  -- From when it may be sent; a day later it is given up.
  wanted_at timestamptz not null,
  -- When it is tried next. A row is inserted with its `wanted_at` here.
  due_at timestamptz not null,
  -- After this it is of no use, and is not sent.
  expires_at timestamptz,
  attempts integer not null default 0,
  -- Until when a sender has it, by the clock of the database.
  leased_until timestamptz,
  -- Why the last try failed, in words that name no address.
  failure text,
  settled_at timestamptz,
  -- Which announcement it brings; it stays when the rest of the row is blanked.
  announcement text references state.announcements
);
-- What expires goes before what can wait, and what is sent to one before what is announced to many.
create index outbox_waiting on state.outbox ((expires_at is null), due_at)
  where delivery_status = 'waiting' and announcement is null;
create index outbox_announced on state.outbox (due_at) where delivery_status = 'waiting' and announcement is not null;
-- What is given up is found without looking at all that waits.
create index outbox_wanted on state.outbox (wanted_at) where delivery_status = 'waiting';
create index outbox_expiring on state.outbox (expires_at) where delivery_status = 'waiting' and expires_at is not null;
create index outbox_held on state.outbox (business_id, settled_at) where delivery_status = 'held';
create index outbox_dead on state.outbox (wanted_at) where delivery_status = 'dead';
create index outbox_job on state.outbox (job_id) where delivery_status in ('waiting', 'held', 'lapsed', 'dead');
create index outbox_announcement on state.outbox (announcement, delivery_status) where announcement is not null;

-- What the embedded mail and SMS took, for the page /dev/outbox. Sealed: the words hold links, codes and addresses.
create table state.outbox_page (
  id text primary key,
  n bigint generated always as identity,
  channel text not null check (channel in ('mail', 'sms')),
  taken_at timestamptz not null,
  sealed bytea not null
);
create index outbox_page_newest on state.outbox_page (n);

-- Links in messages that act without a login: a tradie answers a job, a customer calls one off or sees what is stored about
-- them. Only the hash of what stands in the link is stored. What a link did, and that it did it once, stands in the log.
create table state.answer_links (
  token_hash bytea primary key,
  kind text not null check (kind in ('answer', 'not-needed', 'privacy')),
  -- Null once its customer is erased: what is left says whose link it was.
  job_id text,
  business_id text not null,
  -- In whose name it answers; null for the customer's.
  account_id text,
  -- Until when it opens its job; null: until `expires_at`. The row stays for longer, so that the page can say that the link has
  -- ended and whose it was.
  opens_until timestamptz,
  expires_at timestamptz not null,
  constraint answer_links_name_their_job check (job_id is not null or (kind = 'not-needed' and account_id is null))
);
create index answer_links_by_expiry on state.answer_links (expires_at);

-- SMS that alert a tradie to a job, for a day: sent, or why it was not. What the budgets count.
create table state.alert_messages (
  message_id uuid primary key,
  business_id text not null,
  outcome text not null check (outcome in ('sent', 'unchecked', 'business', 'everybody')),
  decided_at timestamptz not null,
  expires_at timestamptz not null
);
create index alert_messages_business on state.alert_messages (business_id, decided_at) where outcome = 'sent';
create index alert_messages_decided on state.alert_messages (decided_at);
create index alert_messages_expiry on state.alert_messages (expires_at);
