-- What the login of the application may do: run by the owner after the migrations, each time, as one transaction. Gives
-- only what is missing, so that a start on a database in use touches nothing.
do $$
declare
  object record;
begin
  -- An administrator makes it with a login (api/runtime/postgres/roles.sql). A developer's own database may do without:
  -- its one login then takes this role.
  if not exists (select from pg_catalog.pg_roles where rolname = 'ute_app') then
    -- Roles belong to the whole server: a sister database may be making it just now.
    begin
      create role ute_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;

  -- The owner hands the tables of the read models over, which asks for this. Nothing leads from ute_app to the owner.
  if not pg_has_role('ute_app', 'set') then
    execute format('grant ute_app to %I with inherit true, set true', current_user);
  end if;

  -- Whether the product is serving is seen by its sessions; where this may not be granted, a rebuild takes it for stopped.
  if not pg_has_role('ute_app', 'pg_read_all_stats', 'usage') then
    begin
      grant pg_read_all_stats to ute_app;
    exception when insufficient_privilege then null;
    end;
  end if;

  -- Where no login of the owner is at hand, a start only makes sure that no migration is missing.
  if not has_schema_privilege('ute_app', 'migrations', 'usage')
    or not has_table_privilege('ute_app', 'migrations.applied', 'select') then
    grant usage on schema migrations to ute_app;
    grant select on migrations.applied to ute_app;
  end if;

  -- The log: read and add, no more. `append` runs with the rights of whoever calls it.
  if not has_schema_privilege('ute_app', 'event_store', 'usage') or not has_schema_privilege('ute_app', 'state', 'usage') then
    grant usage on schema event_store, state to ute_app;
  end if;
  if not has_table_privilege('ute_app', 'event_store.events', 'select')
    or not has_table_privilege('ute_app', 'event_store.events', 'insert') then
    grant select, insert on event_store.events to ute_app;
  end if;

  -- The proof: what was signed is added and never changed; nodes and marks repeat the log, and are made anew from it.
  if not has_schema_privilege('ute_app', 'proof', 'usage') then
    grant usage on schema proof to ute_app;
  end if;
  if not has_table_privilege('ute_app', 'proof.handovers', 'insert') then
    grant select, insert on proof.log, proof.nodes, proof.marks, proof.checkpoints, proof.keys, proof.handovers to ute_app;
    grant delete on proof.nodes, proof.marks, proof.checkpoints to ute_app;
    grant update (until_size) on proof.keys to ute_app;
    grant select, update on proof.progress to ute_app;
  end if;
  if not has_table_privilege('ute_app', 'proof.attestations', 'insert') then
    grant select, insert on proof.attestations to ute_app;
  end if;
  if not has_table_privilege('ute_app', 'proof.handed_out', 'insert') then
    grant select, insert on proof.handed_out to ute_app;
  end if;
  if not has_table_privilege('ute_app', 'proof.statements', 'insert') then
    grant select, insert, delete, update (note) on proof.statements to ute_app;
  end if;

  for object in
    select c.oid::regclass as name
    from pg_catalog.pg_class c
    where c.relnamespace = 'state'::regnamespace
      and c.relkind in ('r', 'p')
      and not (
        has_table_privilege('ute_app', c.oid, 'select') and has_table_privilege('ute_app', c.oid, 'insert')
        and has_table_privilege('ute_app', c.oid, 'update') and has_table_privilege('ute_app', c.oid, 'delete')
      )
  loop
    execute format('grant select, insert, update, delete on %s to ute_app', object.name);
  end loop;

  -- Read models are the application's own: a rebuild makes their tables anew and drops the old ones.
  if not pg_has_role('ute_app', (select nspowner from pg_catalog.pg_namespace where nspname = 'read'), 'usage') then
    alter schema read owner to ute_app;
  end if;
  for object in
    select c.oid::regclass as name
    from pg_catalog.pg_class c
    where c.relnamespace = 'read'::regnamespace
      and c.relkind in ('r', 'p')
      and c.relowner <> 'ute_app'::regrole
  loop
    execute format('alter table %s owner to ute_app', object.name);
  end loop;
end
$$;
