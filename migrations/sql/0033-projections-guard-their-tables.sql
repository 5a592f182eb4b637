-- Projections make their tables themselves, policies included. What releases before this one left is guarded here, once;
-- the function stays for the rebuilds of their processes, which know one table that has a policy.
do $$
declare
  object record;
begin
  for object in
    select c.oid::regclass as name
    from pg_catalog.pg_class c
    where c.relnamespace = 'read'::regnamespace and c.relkind in ('r', 'p')
  loop
    perform migrations.guard_rows(object.name);
  end loop;
end
$$;

create or replace function migrations.guard_rows(guarded regclass) returns void language plpgsql
set search_path = ''
as $$
begin
  if not exists (
      select from pg_catalog.pg_class
      where oid = guarded and regexp_replace(relname, '(_v\d+)?(__\w+)?$', '') = 'job_details'
    )
    or exists (select from pg_catalog.pg_policy where polrelid = guarded)
  then
    return;
  end if;
  execute format(
    'create policy one_business on %s using (
      business_id = current_setting(''ute.business'', true) or current_setting(''ute.business'', true) = ''*''
    )',
    guarded
  );
  -- Forced, because the application owns what rebuilds make.
  execute format('alter table %s enable row level security, force row level security', guarded);
end
$$;
