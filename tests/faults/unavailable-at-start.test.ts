import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import { connectDatabase } from '#api/runtime/database.ts';
import { testDatabase } from '#tests/support/app/database.ts';
import { tempFolder, testConfig } from '#tests/support/app/fixtures.ts';
import { type OwnPostgres, ownPostgres } from '#tests/support/app/postgres.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { tcpGate } from '#tests/support/servers/outages.ts';

/** Five times the ten seconds that are promised. */
const WELL = 50_000;

const folder = tempFolder('unavailable-at-start');
const processes: Ute[] = [];
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await ownPostgres();
}, 180_000);
afterAll(async () => {
  await killAll(processes);
  await postgres?.close();
  folder.remove();
});

async function start(env: Record<string, string> = {}): Promise<Ute> {
  const environment = { ...postgres.environment, DATA_DIR: folder.path, LOG_LEVEL: 'silent', ...env };
  const ute = await startUteProcess(environment);
  processes.push(ute);
  return ute;
}

const becomesReady = (ute: Ute) =>
  expect.poll(() => ute.status('/api/health/ready'), { timeout: WELL }).toBe(200);

test('started without its database, it lives, shows what it can, and begins by itself', async () => {
  await postgres.stop('fast');
  const ute = await start();
  expect(ute).toMatchObject({ isReady: false, demo: null, publicForm: null });
  expect(await ute.status('/api/health/live')).toBe(200);
  expect(await ute.status('/api/health/ready')).toBe(503);
  expect(await ute.status('/login')).toBe(200);
  const page = await ute.client.get('/t/acme-plumbing');
  expect(page).toMatchObject({ status: 503, text: expect.stringContaining('trouble right now') });
  expect(page.headers.get('retry-after')).toBe('5');
  const login = await ute.client.post('/api/authenticate/login', { email: 'a@b.example', password: 'x' });
  expect(login.status).toBe(503);

  await postgres.start();
  await becomesReady(ute);
  await expect.poll(() => ute.status('/t/acme-plumbing'), { timeout: WELL }).toBe(200);
  ute.child.kill('SIGTERM');
  expect(await ute.ended).toEqual({ code: 0, signal: null });
}, 200_000);

test('a database that takes longer to accept a connection than a request waits does not put a start off', async () => {
  const behind = await testDatabase();
  const gate = await tcpGate(behind.url);
  const config = testConfig({ NODE_ENV: 'development', DATABASE_URL: gate.url });
  const database = await connectDatabase(config, createLogger('silent'), async () => {});
  gate.freeze();
  const prepared = database.prepare();
  await Promise.all([prepared, after(2_000).then(() => gate.thaw())]);
  expect(database.breaker.isOpen()).toBe(false);
  await database.close();
  await gate.close();
  await behind.close();
}, 100_000);

test('a stop while it still waits for its database is a clean one', async () => {
  await postgres.stop('fast');
  const ute = await start();
  ute.child.kill('SIGTERM');
  expect(await ute.ended).toEqual({ code: 0, signal: null });
  await postgres.start();
}, 100_000);

test('started without its event store, it lives, and follows it by itself once it is there', async () => {
  // A database belongs to one log: this one has none yet.
  const [server, database] = await Promise.all([startStandIn(), testDatabase()]);
  server.kill();
  const EVENTSTORE_URL = `esdb://${server.host}:${server.port}?tls=false`;
  const ute = await start({ EVENTSTORE_URL, DATABASE_URL: database.url });
  expect(ute.isReady).toBe(false);
  expect(await ute.status('/api/health/live')).toBe(200);
  expect(await ute.status('/api/health/ready')).toBe(503);
  expect(await ute.status('/login')).toBe(200);

  await server.restart();
  await becomesReady(ute);
  await expect.poll(() => ute.status('/t/acme-plumbing'), { timeout: WELL }).toBe(200);
  server.kill();
  ute.child.kill('SIGKILL');
  await ute.ended;
  await database.close();
}, 200_000);
