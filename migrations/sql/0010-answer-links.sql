-- Links in messages that act without a login: a tradie answers a job, a customer calls one off. Only the hash of what
-- stands in the link is kept. What a link did, and that it did it once, stands in the log.
create table state.answer_links (
  token_hash bytea primary key,
  kind text not null check (kind in ('answer', 'not-needed')),
  job_id text not null,
  business_id text not null,
  -- In whose name it answers; null for the customer's.
  account_id text,
  expires_at timestamptz not null
);
create index answer_links_by_expiry on state.answer_links (expires_at);
