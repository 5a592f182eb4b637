import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Pool } from 'pg';
import { lockNumbers } from '#core/postgres/locks.ts';
import { newSession } from '#core/postgres/session.ts';

const roles = new URL('./roles.sql', import.meta.url);
const passwordFiles = { ute_owner: 'owner-password', ute_app: 'app-password' } as const;

/** Addresses (`postgres://…`) of one database by its two logins. */
export type Logins = Readonly<{
  /** The application's: every session of the product. */
  url: string;
  /** The owner's: migrations alone. */
  ownerUrl: string;
}>;

/**
 * Makes the two logins of a database, and moves it over from another owner; nothing where all is in place.
 * @param adminUrl `postgres://…` of the database, by a superuser of the server
 * @param folder keeps their passwords, in files that the caller's account alone reads
 */
export async function ensureLogins(adminUrl: string, folder: string): Promise<Logins> {
  const admin = newSession(adminUrl, 'logins');
  await admin.connect();
  try {
    // The owner of the database chooses what its sessions look names up in, and this one is a superuser's.
    await admin.query('set search_path = pg_catalog');
    await admin.query(await Bun.file(roles).text());
    // Two processes that start at once end with the same passwords.
    await admin.query('select pg_advisory_lock($1)', [lockNumbers.loginPasswords]);
    return {
      url: urlAs(adminUrl, 'ute_app', await passwordOf(admin, 'ute_app', folder)),
      ownerUrl: urlAs(adminUrl, 'ute_owner', await passwordOf(admin, 'ute_owner', folder)),
    };
  } finally {
    await admin.end();
  }
}

/** The role has the password before the file has it: a start that was cut off between makes another one. */
async function passwordOf(admin: Client, role: keyof typeof passwordFiles, folder: string): Promise<string> {
  const file = join(folder, passwordFiles[role]);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const password = randomBytes(24).toString('hex');
  await admin.query(`alter role ${role} password '${password}'`);
  writeFileSync(`${file}.new`, password, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return password;
}

function urlAs(url: string, user: string, password: string): string {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  return address.href;
}

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
