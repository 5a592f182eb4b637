import { readdir } from 'node:fs/promises';
import type { Client } from 'pg';
import { lockNumbers } from '#core/postgres/locks.ts';
import { newSession } from '#core/postgres/session.ts';

const insufficientPrivilege = '42501';
/** No such schema or table, or none that this login may look into: nothing was applied that it knows of. */
const unknownMigrations = ['3F000', '42P01', insufficientPrivilege];
const folder = new URL('./sql/', import.meta.url);
const grants = new URL('./grants.sql', import.meta.url);

/** A file whose first line is `-- no-transaction` runs outside one, as a single statement (`create index concurrently`). */
export type Migration = Readonly<{ name: string; sql: string; checksum: string }>;

/** A migration cannot be applied: the message is one line for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

const OLDEST_MAJOR = 16;

/** Every build before the first release applied it, and none since has a file of this name. */
const OF_BEFORE_THE_FIRST_RELEASE = '0002-state.sql';

/** Why a server cannot be used, with its version and the oldest that can; null for one that can. */
export function tooOldPostgres({ number, name }: Readonly<{ number: number; name: string }>): string | null {
  if (number >= OLDEST_MAJOR * 10_000) return null;
  return `Postgres ${name} is too old: Ute needs Postgres ${OLDEST_MAJOR} or newer`;
}

/** Which Postgres answers: its number, such as 160004, and its name. */
export async function readPostgresVersion(
  db: Pick<Client, 'query'>,
): Promise<Readonly<{ number: number; name: string }>> {
  const { rows } = await db.query<{ number: string; name: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as name",
  );
  const { number = '0', name = 'unknown' } = rows[0] ?? {};
  return { number: Number(number), name };
}

/**
 * Brings the database to the shape this code needs, and gives the role `ute_app` what the application needs of it.
 * Safe to run from several processes at once: they queue on a lock. A login that may create nothing, as the application's
 * own, only makes sure that nothing is missing: MigrationError otherwise, and for a Postgres that is too old, before anything is written.
 * @param connectionString `postgres://…` of the owner, who may create schemas
 * @param migrations instead of ours, and without the grants
 * @returns the names it applied, in order; empty when nothing was left to do
 */
export async function migrate(
  connectionString: string,
  migrations?: readonly Migration[],
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations(folder));
  const client = newSession(connectionString, 'migrate');
  await client.connect();
  try {
    const tooOld = tooOldPostgres(await readPostgresVersion(client));
    if (tooOld) throw new MigrationError(`${tooOld}. Nothing was changed.`);
    if (!(await mayCreate(client))) {
      await refuseMissing(client, wanted);
      return [];
    }
    await client.query('select pg_advisory_lock($1)', [lockNumbers.migrations]);
    const applied = await applyMissing(client, wanted);
    if (!migrations) await grantMissing(client);
    return applied;
  } finally {
    await client.end();
  }
}

/** The names of the migrations that a database lacks, in order; for a look, with the rights of the application. */
export async function missingMigrations(db: Pick<Client, 'query'>): Promise<string[]> {
  const wanted = await readMigrations(folder);
  return missingOf(await readApplied(db), wanted).map(({ name }) => name);
}

async function mayCreate(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select has_database_privilege(current_database(), 'create') as may",
  );
  return rows[0]?.may ?? false;
}

async function refuseMissing(client: Client, wanted: readonly Migration[]): Promise<void> {
  const missing = missingOf(await readApplied(client), wanted)[0];
  if (missing)
    throw new MigrationError(
      `The database lacks migration ${missing.name}, which its login DATABASE_URL may not make: give MIGRATION_DATABASE_URL the owner's address.`,
    );
}

async function grantMissing(client: Client): Promise<void> {
  try {
    await client.query(await Bun.file(grants).text());
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new MigrationError(
      `The user of the database may not set up the role ute_app (${(error as Error).message}). Let an administrator run api/runtime/postgres/roles.sql in it.`,
      { cause: error },
    );
  }
}

/**
 * Reads `0001-name.sql`, `0004-…` of a folder, in order. Numbers may be left out, so that changes made side by side can each
 * have theirs; a number used twice or another form of name is refused.
 */
export async function readMigrations(from: URL): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      if (!/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(name))
        throw new MigrationError(`Migration ${name} must be named as 0001-what-it-does.sql.`);
      if (names[index - 1]?.slice(0, 4) === name.slice(0, 4))
        throw new MigrationError(`Migration ${name} has the number of ${names[index - 1]}.`);
      const sql = await Bun.file(new URL(name, from)).text();
      return { name, sql, checksum: new Bun.CryptoHasher('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyMissing(client: Client, wanted: readonly Migration[]): Promise<string[]> {
  await client.query(`
    create schema if not exists migrations;
    create table if not exists migrations.applied (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const missing = missingOf(await readApplied(client), wanted);
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

type Applied = Readonly<{ name: string; checksum: string }>;

async function readApplied(client: Pick<Client, 'query'>): Promise<Applied[]> {
  try {
    return (await client.query<Applied>('select name, checksum from migrations.applied order by name')).rows;
  } catch (error) {
    if (unknownMigrations.includes(String((error as { code?: string }).code))) return [];
    throw error;
  }
}

function missingOf(applied: readonly Applied[], wanted: readonly Migration[]): Migration[] {
  if (applied.some(({ name }) => name === OF_BEFORE_THE_FIRST_RELEASE))
    throw new MigrationError(
      'The database was made by a build before Ute 1.0.0, and cannot be brought over: start with an empty database, or an empty DATA_DIR.',
    );
  const known = new Map(wanted.map((migration) => [migration.name, migration]));
  for (const one of applied) refuseChanged(one, known.get(one.name));
  const done = new Set(applied.map(({ name }) => name));
  return wanted.filter(({ name }) => !done.has(name));
}

function refuseChanged(applied: Applied, wanted: Migration | undefined): void {
  if (wanted === undefined)
    throw new MigrationError(
      `The database has migration ${applied.name}, which this version of Ute does not know. Start a newer version.`,
    );
  if (wanted.checksum !== applied.checksum)
    throw new MigrationError(
      `Migration ${applied.name} was edited after it was applied. Restore the file and add a new one.`,
    );
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  const alone = sql.startsWith('-- no-transaction');
  try {
    if (!alone) await client.query('begin');
    await client.query(sql);
    await client.query('insert into migrations.applied (name, checksum) values ($1, $2)', [name, checksum]);
    if (!alone) await client.query('commit');
  } catch (error) {
    throw new MigrationError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
