import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { clusterOf } from '#api/runtime/postgres/cluster.ts';
import { findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import {
  type EmbeddedPostgres,
  isRunning,
  readPostmaster,
  startEmbeddedPostgres,
} from '#api/runtime/postgres/embedded-postgres.ts';
import { ensureLogins } from '#api/runtime/postgres/logins.ts';
import { newSession, SessionPool } from '#core/postgres/session.ts';
import { migrate } from '#migrations/run.ts';
import { projections } from '#projections/registry.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import { tempFolder } from './fixtures.ts';

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
  const pool = new SessionPool({ connectionString: url, max: 1 });
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
  const client = newSession(url, 'test');
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
    /** `folder` is of this run alone, and all its processes share it. */
    database: Server & { template: string; folder: string };
  }
}

type Started = Server & { template: string; folder: string; stop(): Promise<void> };
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
  const { url, ownerUrl, adminUrl, template, folder } = await shared.server;
  project.provide('database', { url, ownerUrl, adminUrl, template, folder });
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
    return {
      url,
      ownerUrl,
      adminUrl,
      template,
      folder: dataDir,
      stop: given ? () => drop().then(stop) : stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A Postgres that a test may stop and start again, on the same port with the same data. */
export type OwnPostgres = Readonly<{
  /** Its addresses as a process of Ute is given them. */
  environment: Readonly<{ DATABASE_URL: string; MIGRATION_DATABASE_URL: string }>;
  url: string;
  /** `immediate` is a crash: the next start recovers. Resolves once the server is gone. */
  stop(how: keyof typeof signals): Promise<void>;
  start(): Promise<void>;
  /** Holds every process of the server where it is, as a machine does that hangs; `thaw` lets them go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  close(): Promise<void>;
}>;

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = tempFolder('postgres');
  const cluster = clusterOf(findClusterHome(folder.path, findPostgresBinaries()));
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir: folder.path });
  const { url, ownerUrl } = server;
  const leases = [server];
  async function running() {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster) throw new Error('Postgres does not run');
    return postmaster;
  }

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    const { pid } = await running();
    // First the one that begins others: then those there are can only become fewer.
    process.kill(pid, signal);
    for (const one of childrenOf(pid)) signalUnlessGone(one, signal);
  }

  return {
    environment: { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl },
    url,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async stop(how) {
      const postmaster = await running();
      process.kill(postmaster.pid, signals[how]);
      while (isRunning(postmaster, cluster)) await Bun.sleep(10);
      server = undefined;
    },
    async start() {
      server = await startEmbeddedPostgres({ dataDir: folder.path });
      leases.push(server);
      if (server.url !== url) throw new Error('Postgres came back on another port');
    },
    async close() {
      for (const lease of leases) await lease.stop();
      folder.remove();
    },
  };
}

function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const ids = processes.map((line) => line.trim().split(/\s+/).map(Number));
  return ids.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}
