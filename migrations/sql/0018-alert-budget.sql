-- SMS that tell a tradie of a job, for a day: sent, or what kept each from being sent. What the budgets count.
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
