-- Files that people gave us. Their bytes are in the file store under the same id; here stands whose they are and until when.
create table state.files (
  id text primary key,
  business_id text not null,
  kind text not null check (kind in ('logo', 'media', 'photo')),
  name text not null,
  mime text not null,
  bytes integer not null check (bytes > 0),
  -- The job that a customer's file came with.
  job_id text,
  created_at timestamptz not null,
  -- When it goes; null while a job or a business needs it.
  expires_at timestamptz,
  -- Under whose key its bytes are sealed, which the file says as well; null for a logo.
  sealed_for text
);
create index files_business on state.files (business_id);
create index files_job on state.files (job_id) where job_id is not null;
create index files_expiry on state.files (expires_at) where expires_at is not null;
create index files_to_seal on state.files (id)
  where job_id is not null and kind <> 'logo' and sealed_for is distinct from 'customer-' || job_id;

-- Samples of what customers called their files would outlive the files.
alter table state.files alter column name set statistics 0;
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    perform pg_clear_attribute_stats('state', 'files', 'name', false);
  end if;
end
$$;

-- What is to be forgotten, and what was: ids and moments alone. Written by the process `erasures` from the log.
create table state.erasures (
  erasure_id text primary key,
  scope text not null check (scope in ('jobs', 'account', 'business', 'demo')),
  basis text not null,
  business_id text,
  -- Of jobs, or the one id of what else is in scope.
  ids text[] not null,
  status text not null check (status in ('requested', 'cancelled', 'refused', 'begun', 'completed')),
  requested_at timestamptz not null,
  due_at timestamptz not null,
  begun_at timestamptz,
  completed_at timestamptz,
  -- By place, how much was cleared there.
  counts jsonb
);
create index erasures_open on state.erasures (due_at) where status in ('requested', 'begun');

-- When it was looked for details that are stored longer than needed, and how many there were: numbers alone. The first run only
-- reports, so a run that removes asks here whether there was one before.
create table state.retention_runs (
  began_at timestamptz primary key,
  -- Of a run that the worker makes by itself: the night, by the date in UTC. Of two workers one makes it.
  night date unique,
  finished_at timestamptz,
  never_accepted integer not null default 0,
  worked_on integer not null default 0,
  -- For how many of them a removal was asked for; a run that only reports asks for none.
  requested integer not null default 0
);

-- What the worker read on its clock when it last looked: one row. After a jump of the clock nothing is erased until `rests_until`.
create table state.clock_seen (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null,
  rests_until timestamptz
);
