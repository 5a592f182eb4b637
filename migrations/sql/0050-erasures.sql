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

-- Samples of what customers called their files would outlive the files.
alter table state.files alter column name set statistics 0;
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    perform pg_clear_attribute_stats('state', 'files', 'name', false);
  end if;
end
$$;
