import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#api/providers/database/embedded-postgres.ts';
import { createTemplate } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    database: { url: string; template: string };
  }
}

type Shared = { users: number; server: Promise<{ url: string; template: string; stop(): Promise<void> }> };

/** One server for all projects of a run: each of them loads this file anew, the process is the same. */
const key = Symbol.for('ute.tests.server');
const holder = globalThis as { [key]?: Shared };

/** Starts Postgres with a migrated template for `testDatabase()`, once per run; `TEST_DATABASE_URL` names another server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder[key] ??= { users: 0, server: start() };
  const shared = holder[key];
  shared.users += 1;
  const { url, template } = await shared.server;
  project.provide('database', { url, template });
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete holder[key];
    await (await shared.server).stop();
  };
}

async function start(): Promise<{ url: string; template: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return createTemplate(given);
  const dataDir = await mkdtemp(join(tmpdir(), 'ute-tests-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, disposable: true });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { url, template } = await createTemplate(server.url);
    return { url, template, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
