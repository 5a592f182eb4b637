import type { Pool } from 'pg';

/** The first that holds is named: a superuser owns everything besides. */
const excesses = `
  select case
    when role.rolsuper then 'a superuser'
    when pg_has_role(session_user, base.datdba, 'member') then 'the owner of the database'
    when role.rolcreaterole or role.rolbypassrls or role.rolreplication then 'one that administers the server'
    when exists (
      select from pg_catalog.pg_namespace
      where nspname in ('event_store', 'state', 'proof') and pg_has_role(session_user, nspowner, 'member')
    ) then 'the owner of the log'
    when exists (
      select from pg_catalog.pg_roles
      where rolname in (
          'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'pg_read_all_data', 'pg_write_all_data'
        )
        and pg_has_role(session_user, oid, 'member')
    ) then 'one that reaches beyond its database'
  end as excess
  from pg_catalog.pg_roles role, pg_catalog.pg_database base
  where role.rolname = session_user and base.datname = current_database()`;

/** What makes a login more than the application's, in words for the operator; null for one that is no more than that. */
export async function excessOf(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ excess: string | null }>(excesses);
  return rows[0]?.excess ?? null;
}
