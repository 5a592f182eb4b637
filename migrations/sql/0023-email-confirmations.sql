-- Links in welcome mails, by which the holder of an account shows that its email is theirs. Only the hash of what stands in
-- the link is stored, and a keyed hash of the address that it went to. That it was pressed stands in the log.
create table state.email_confirmations (
  token_hash bytea primary key,
  account_id text not null,
  email_key bytea not null,
  expires_at timestamptz not null
);
create index email_confirmations_by_expiry on state.email_confirmations (expires_at);
