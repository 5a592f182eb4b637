import { createServer } from 'node:net';
import { Elysia } from 'elysia';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, startUte } from '#api/main.ts';
import { freePort, listen } from '#api/runtime/listen.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

let database: TestDatabase;
let environment: Record<string, string>;
const folder = tempFolder('process');

beforeAll(async () => {
  database = await testDatabase();
  environment = {
    NODE_ENV: 'test',
    ROLE: 'worker',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
  };
});
afterAll(async () => {
  folder.remove();
  await database?.close();
});

async function lineOf(starting: Promise<Running>): Promise<string> {
  const outcome = await starting.catch((error: Error) => error.message);
  if (typeof outcome === 'string') return outcome;
  await outcome.stop();
  throw new Error('it started');
}

describe('what cannot start says why in one line', () => {
  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const line = await lineOf(startUte({ ...environment, PORT: String(port) }));
    taken.close();
    expect(line).toBe(`Port ${port} is in use: stop what uses it, or set PORT.`);
  });

  test.each([
    ['refuses the password', (url: URL) => Object.assign(url, { password: 'marker' }), '28P01'],
    ['has no such database', (url: URL) => Object.assign(url, { pathname: '/nobody' }), '3D000'],
  ])('a database server that %s', async (_, wrong, code) => {
    const line = await lineOf(startUte({ ...environment, DATABASE_URL: wrong(new URL(database.url)).href }));
    expect(line).toBe(`Configuration: DATABASE_URL cannot be used (${code}).`);
  });

  test('a data folder that cannot be made', async () => {
    const line = await lineOf(startUte({ ...environment, DATA_DIR: '/dev/null/data' }));
    expect(line).toBe('The data folder /dev/null/data cannot be written (ENOTDIR).');
  });

  test('production without its secrets, one for each variable', async () => {
    const lines = (await lineOf(startUte({ ...environment, NODE_ENV: 'production' }))).split('\n');
    for (const key of ['DATA_KEY', 'TOKEN_KEY', 'CLAIM_KEY', 'BOT_CHECK_KEY', 'LOG_KEY'])
      expect(lines).toContain(`Configuration: ${key} is missing.`);
    for (const line of lines) expect(line).toMatch(/^Configuration: [A-Z_]+ [^\n]+\.$/);
  });
});

describe('a running process', () => {
  test('outlives the loss of every connection to the database', async () => {
    const running = await startUte(environment);
    const ask = (path: string) => fetch(`${running.url}${path}`).then(({ status }) => status);
    await expect.poll(() => ask('/api/health/ready')).toBe(200);
    await database.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    expect(await ask('/api/health/live')).toBe(200);
    await expect.poll(() => ask('/api/health/ready'), { timeout: 50_000 }).toBe(200);
    await running.stop();
    await expect(ask('/api/health/live')).rejects.toThrow();
  }, 100_000);

  test('leaves nothing open on the database once stopped', async () => {
    const running = await startUte(environment);
    await running.stop();
    const connections = async () => {
      const { rows } = await database.pool.query(
        'select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      return rows[0].others;
    };
    await expect.poll(connections).toBe(0);
  });
});

test('a stop answers what is in flight and takes nothing new', async () => {
  const entered = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const app = new Elysia().get('/', () => {
    entered.resolve();
    return answer.promise;
  });
  const port = freePort('127.0.0.1');
  const listening = listen(app, { host: '127.0.0.1', port });
  const inFlight = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await entered.promise;
  const stopped = listening.stop();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  answer.resolve('done');
  expect(await inFlight).toBe('done');
  await stopped;
});
