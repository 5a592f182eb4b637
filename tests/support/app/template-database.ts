import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { migrate } from '#migrations/run.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import { projections } from '#projections/runtime/registry.ts';

/** Postgres copies a template for one database at a time, and only while no session is connected to it. */
const cloning = 8_833_003;

/** One server by its three logins: whose path names which database does not matter. */
export type Server = Readonly<{ url: string; ownerUrl: string; adminUrl: string }>;

/** Makes a migrated database of the owner's for others to be cloned from; `stop` drops it. */
export async function createTemplate(server: Server): Promise<{ template: string; stop(): Promise<void> }> {
  const template = `ute_template_${randomBytes(4).toString('hex')}`;
  await onServer(server.adminUrl, (client) =>
    client.query(`create database ${template} owner ute_owner encoding 'UTF8' template template0`),
  );
  await migrate(urlOf(server.ownerUrl, template));
  await createReadTables(urlOf(server.url, template));
  return { template, stop: () => dropDatabase(server.adminUrl, template) };
}

/** What the application does after the migrations: makes the tables of its read models. */
export async function createReadTables(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await createMissingTables(pool, projections);
  await pool.end();
}

/** Clones the template into a database of its own and answers its addresses. */
export async function cloneTemplate(server: Server, template: string): Promise<Server> {
  const name = `ute_test_${randomBytes(6).toString('hex')}`;
  await onServer(server.adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [cloning]);
    await client.query(`create database ${name} owner ute_owner template ${template} strategy file_copy`);
  });
  const { url, ownerUrl, adminUrl } = server;
  return { url: urlOf(url, name), ownerUrl: urlOf(ownerUrl, name), adminUrl: urlOf(adminUrl, name) };
}

/** Drops a database, sessions that are still in it included. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
