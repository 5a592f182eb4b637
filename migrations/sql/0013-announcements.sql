-- What an operator tells those who want to hear it. The words are the operator's own and name nobody.
create table state.announcements (
  id text primary key,
  kind text not null check (kind in ('product-update', 'newsletter')),
  subject text not null,
  body text not null,
  begun_at timestamptz not null,
  -- From then on nothing of it goes out.
  cancelled_at timestamptz
);

-- Which announcement a message brings; it stays when the rest of the row is blanked.
alter table state.outbox add column announcement text references state.announcements;
create index outbox_announcement on state.outbox (announcement, standing) where announcement is not null;

-- What somebody waits for goes before what is told to many, however many that are.
drop index state.outbox_waiting;
create index outbox_waiting on state.outbox ((expires_at is null), due_at) where standing = 'waiting' and announcement is null;
create index outbox_told on state.outbox (due_at) where standing = 'waiting' and announcement is not null;
-- What is given up is found without looking at all that waits.
create index outbox_wanted on state.outbox (wanted_at) where standing = 'waiting';
create index outbox_expiring on state.outbox (expires_at) where standing = 'waiting' and expires_at is not null;
