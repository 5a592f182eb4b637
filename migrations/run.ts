import { readdir } from 'node:fs/promises';
import { Client } from 'pg';

/** How long the database may take to let us in, in milliseconds. */
const patience = 5_000;
const insufficientPrivilege = '42501';
/** Any number that no other part of Ute locks on. */
const lock = 8_833_001;
const folder = new URL('./sql/', import.meta.url);
const grants = new URL('./grants.sql', import.meta.url);

/** A file whose first line is `-- no-transaction` runs outside one, as a single statement (`create index concurrently`). */
export type Migration = Readonly<{ name: string; sql: string; checksum: string }>;

/** A migration cannot be applied: the message is one line for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Brings the database to the shape this code needs, and gives the role `ute_app` what the application needs of it.
 * Safe to run from several processes at once: they queue on a lock.
 * @param connectionString `postgres://…` of a role that may create schemas, and the role `ute_app` unless it is there
 * @param migrations instead of ours, and without the grants
 * @returns the names it applied, in order; empty when nothing was left to do
 */
export async function migrate(
  connectionString: string,
  migrations?: readonly Migration[],
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations(folder));
  const client = new Client({ connectionString, connectionTimeoutMillis: patience });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    const applied = await applyMissing(client, wanted);
    if (!migrations) await grantMissing(client);
    return applied;
  } finally {
    await client.end();
  }
}

async function grantMissing(client: Client): Promise<void> {
  try {
    await client.query(await Bun.file(grants).text());
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new MigrationError(
      `The user of the database may not set up the role ute_app (${(error as Error).message}). Let an administrator run: create role ute_app; grant ute_app to <user>;`,
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
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations.applied order by name',
  );
  const known = new Map(wanted.map((migration) => [migration.name, migration]));
  for (const applied of rows) refuseChanged(applied, known.get(applied.name));
  const done = new Set(rows.map(({ name }) => name));
  const missing = wanted.filter(({ name }) => !done.has(name));
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

function refuseChanged(applied: { name: string; checksum: string }, wanted: Migration | undefined): void {
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
