import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { ensureLogins } from '#api/runtime/postgres/logins.ts';
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

declare module 'vitest' {
  interface ProvidedContext {
    database: Server & { template: string };
  }
}

type Started = Server & { template: string; stop(): Promise<void> };
type Shared = { users: number; server: Promise<Started> };

/** One server for all projects of a run: each of them loads this file anew, the process is the same. */
const key = Symbol.for('ute.tests.server');
const holder = globalThis as { [key]?: Shared };

/**
 * Starts Postgres with a migrated template for `testDatabase()`, once per run; `TEST_DATABASE_URL` names another server, by a
 * superuser, and one run at a time.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder[key] ??= { users: 0, server: start() };
  const shared = holder[key];
  shared.users += 1;
  const { url, ownerUrl, adminUrl, template } = await shared.server;
  project.provide('database', { url, ownerUrl, adminUrl, template });
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete holder[key];
    await (await shared.server).stop();
  };
}

async function start(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ute-tests-'));
  await chmod(dataDir, 0o755);
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { ...(await ensureLogins(given, dataDir)), adminUrl: given, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir, disposable: true });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { template, stop: drop } = await createTemplate(server);
    const { url, ownerUrl, adminUrl } = server;
    return { url, ownerUrl, adminUrl, template, stop: given ? () => drop().then(stop) : stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
