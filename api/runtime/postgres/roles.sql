-- The two logins of Ute in the database that this is run in, by an administrator of the server:
--   ute_owner owns the database and what the migrations make; migrations alone use it (MIGRATION_DATABASE_URL);
--   ute_app is what every session of the product uses (DATABASE_URL). It is a member of nothing that owns the log.
-- Changes nothing where all is in place. Moves a database over that another role owned. Passwords are set apart from this:
--   alter role ute_owner password '…'; alter role ute_app password '…';
-- An administrator who is no superuser needs createrole, createdb and the rights of the earlier owner.

-- First: the owner of the database chooses what its sessions look names up in, and this is one of more rights.
set search_path = pg_catalog;

-- By itself: an older server cannot read the rest, and would not say why.
do $$
begin
  if current_setting('server_version_num')::integer < 160000 then
    raise exception 'Postgres % is too old: Ute needs Postgres 16 or newer', current_setting('server_version');
  end if;
end
$$;

do $$
declare
  object record;
  moves text[];
  move text;
  is_granted boolean := false;
begin
  perform pg_advisory_xact_lock(8833004);

  -- Roles belong to the whole server: a sister database may be making them just now.
  for object in select unnest(array['ute_owner', 'ute_app']) as name loop
    if not exists (select from pg_catalog.pg_roles where rolname = object.name) then
      begin
        execute format('create role %I login', object.name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not (select rolcanlogin from pg_catalog.pg_roles where rolname = object.name) then
      execute format('alter role %I login', object.name);
    end if;
  end loop;

  -- The owner hands the tables of the read models to the application; nothing leads the other way.
  if not exists (
    select from pg_catalog.pg_auth_members
    where roleid = 'ute_app'::regrole and member = 'ute_owner'::regrole and inherit_option and set_option
  ) then
    grant ute_app to ute_owner with inherit true, set true;
  end if;
  for object in
    select roleid::regrole as name
    from pg_catalog.pg_auth_members
    where member = 'ute_app'::regrole and roleid <> 'pg_read_all_stats'::regrole
  loop
    execute format('revoke %s from ute_app', object.name);
  end loop;
  if not exists (
    select from pg_catalog.pg_auth_members where roleid = 'pg_read_all_stats'::regrole and member = 'ute_app'::regrole
  ) then
    -- Whether the product is serving is seen by its sessions; where this may not be granted, a rebuild takes it for stopped.
    begin
      grant pg_read_all_stats to ute_app;
    exception when insufficient_privilege then null;
    end;
  end if;

  -- Each needs what is before it: a table goes to who may create in its schema.
  select array_agg(statement order by step) into moves
  from (
    select 1 as step, format('database %I', datname) as statement
    from pg_catalog.pg_database
    where datname = current_database() and datdba <> 'ute_owner'::regrole
    union all
    select 2, format('schema %I', nspname)
    from pg_catalog.pg_namespace
    where nspname in ('event_store', 'state', 'read', 'proof', 'migrations')
      and nspowner not in ('ute_owner'::regrole, 'ute_app'::regrole)
    union all
    select 3,
      format('%s %s', case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, c.oid::regclass)
    from pg_catalog.pg_class c
    where c.relnamespace in (
        select oid from pg_catalog.pg_namespace where nspname in ('event_store', 'state', 'read', 'proof', 'migrations')
      )
      and c.relkind in ('r', 'p', 'v', 'S')
      and c.relowner not in ('ute_owner'::regrole, 'ute_app'::regrole)
      -- The sequence of a column goes with its table.
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass
          and d.refobjsubid > 0 and d.deptype in ('a', 'i')
      )
    union all
    select 4, format('routine %s', p.oid::regprocedure)
    from pg_catalog.pg_proc p
    where p.pronamespace in (
        select oid from pg_catalog.pg_namespace where nspname in ('event_store', 'state', 'read', 'proof', 'migrations')
      )
      and p.proowner not in ('ute_owner'::regrole, 'ute_app'::regrole)
  ) owned;
  if moves is null then
    return;
  end if;

  -- Who is no superuser may make a role without having its rights, and hands over only to a role whose rights it has.
  if not (pg_has_role('ute_owner', 'set') and pg_has_role('ute_owner', 'usage')) then
    grant ute_owner to current_user with inherit true, set true;
    is_granted := true;
  end if;
  foreach move in array moves loop
    execute format('alter %s owner to ute_owner', move);
  end loop;
  if is_granted then
    revoke ute_owner from current_user;
  end if;
end
$$;
