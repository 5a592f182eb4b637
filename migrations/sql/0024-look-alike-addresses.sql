-- What an address is compared by: the HMAC of its skeleton. Addresses that read alike have one, whoever's they are: that a
-- new one is no other business's is decided under a lock, so that pairs which stand already stay. Null until it is known.
alter table state.claims
  add column skeleton bytea,
  add constraint claims_skeleton_check check (skeleton is null or kind = 'slug');
create index claims_by_skeleton on state.claims (skeleton) where skeleton is not null;
create index claims_without_skeleton on state.claims (owner) where kind = 'slug' and skeleton is null;
