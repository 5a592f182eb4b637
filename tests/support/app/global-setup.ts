import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { ensureLogins } from '#api/runtime/postgres/logins.ts';
import { createTemplate, type Server } from './template-database.ts';

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
