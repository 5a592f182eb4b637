-- Files that people gave us. Their bytes are in the file store under the same id; here stands whose they are and until when.
create table state.files (
  id text primary key,
  business_id text not null,
  kind text not null check (kind in ('logo', 'media')),
  name text not null,
  mime text not null,
  bytes integer not null check (bytes > 0),
  -- The job that a customer's file came with.
  job_id text,
  created_at timestamptz not null,
  -- Null while somebody needs it: else it goes when its time is up.
  expires_at timestamptz
);
create index files_business on state.files (business_id);
create index files_job on state.files (job_id) where job_id is not null;
create index files_expiry on state.files (expires_at) where expires_at is not null;

-- An address that a business left: until `expires_at` it leads to the new one, and nobody else gets it.
alter table state.claims
  drop constraint claims_standing_check,
  drop constraint claims_check,
  add constraint claims_standing_check check (standing in ('held', 'kept', 'left')),
  add constraint claims_check check ((standing = 'kept') = (expires_at is null));
