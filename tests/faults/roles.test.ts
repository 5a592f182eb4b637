import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadSecrets } from '#api/runtime/launch/secrets.ts';
import type { IntroduceBusiness } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type Client, readLive } from '#tests/support/app/api-client.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import {
  killAll,
  patiently,
  type SignedInClient,
  startUteProcess,
  type Ute,
} from '#tests/support/processes/processes.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';

/** Five times the ten seconds that are promised. */
const TIMEOUT = 50_000;

const folder = tempFolder('roles');
const processes: Ute[] = [];
let database: TestDatabase;
let [worker, here, there]: (Ute | undefined)[] = [];
let tradieHere: Client;
let tradieThere: SignedInClient;

beforeAll(async () => {
  database = await testDatabase();
  worker = await start('worker');
  [here, there] = await Promise.all([start('api'), start('api')]);
  tradieHere = await vi.waitFor(() => apiHere().signIn(), { timeout: TIMEOUT });
  tradieThere = await apiThere().signIn();
}, 120_000);
afterAll(async () => {
  await killAll(processes);
  await database?.close();
  folder.remove();
});

async function start(ROLE: 'api' | 'worker'): Promise<Ute> {
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' };
  const ute = await startUteProcess({ ...environment, ROLE });
  processes.push(ute);
  return ute;
}

const apiHere = () => here as Ute;
const apiThere = () => there as Ute;

async function pendingJob(tradie: Client, title: string): Promise<{ id: string }> {
  expect((await postForm(patiently(apiHere().client), 'acme-plumbing', { title })).status).toBe(303);
  const found = async () =>
    (await tradie.get(`/api/jobs?search=${encodeURIComponent(title)}`)).body.jobs[0] ?? null;
  await expect.poll(found, { timeout: TIMEOUT }).not.toBeNull();
  return found();
}

test('both processes started at once with the same demo, once', async () => {
  expect(apiThere().demo).toEqual(apiHere().demo);
  const { rows } = await database.pool.query(
    `select count(*)::int as businesses from event_store.events where type = 'BusinessRegistered'`,
  );
  expect(rows[0].businesses).toBe(1);
});

test('what is written here is read there at once, and listeners there are notified', async () => {
  const authorization = `Bearer ${tradieThere.token}`;
  const live = readLive(await fetch(`${apiThere().url}/api/live`, { headers: { authorization } }));
  await live.until(': open');
  let isInTime = false;
  // A machine too busy for the read models to follow in time says so: then another job is to show it.
  for (let tries = 1; !isInTime && tries <= 20; tries += 1) {
    const { id } = await pendingJob(tradieThere, `Told everywhere ${tries}`);
    const statusThere = async () => (await tradieThere.get(`/api/jobs/${id}`)).body.job.status;
    await expect.poll(statusThere, { timeout: TIMEOUT }).toBe('Pending');
    const accepted = await tradieHere.put(`/api/jobs/${id}/accept`);
    expect(accepted.status).toBe(200);
    isInTime = accepted.headers.get('x-read-model') === null;
    if (isInTime) expect(await statusThere()).toBe('To quote');
    await live.until(`"id":"${id}"`, TIMEOUT);
  }
  expect(isInTime).toBe(true);
  await live.cancel();
});

test('a change of a business leaves no old page in any process', async () => {
  const intro = 'Now also gas fitting.';
  const pages = () =>
    Promise.all(
      [apiHere(), apiThere()].map(async ({ client }) => (await client.get('/t/acme-plumbing')).text),
    );
  for (const text of await pages()) expect(text).not.toContain(intro);
  await withStore((store) => introduce(store, intro));
  const shown = async () => (await pages()).every((text) => text.includes(intro));
  await expect.poll(shown, { timeout: 30_000, interval: 20 }).toBe(true);
});

test(
  `a leading worker killed ${faultTimes} is followed by another`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const next = await start('worker');
      worker?.child.kill('SIGKILL');
      await worker?.ended;
      const since = performance.now();
      await pendingJob(tradieThere, `After worker ${round}`);
      expect(performance.now() - since).toBeLessThan(TIMEOUT);
      worker = next;
    }
  },
  faultRounds * 100_000,
);

async function withStore(work: (store: EventStore) => Promise<unknown>): Promise<void> {
  const pool = testPool(database.url);
  const dataKey = Buffer.from(loadSecrets(folder.path).DATA_KEY, 'base64');
  const store = createEmbeddedEventStore({ pool, connectionString: database.url, dataKey });
  try {
    await work(store);
  } finally {
    await store.close();
    await pool.end();
  }
}

async function introduce(store: EventStore, intro: string): Promise<void> {
  const { rows } = await database.pool.query<{ business_id: string }>(
    `select replace(stream, 'business-', '') as business_id from event_store.events where type = 'BusinessRegistered'`,
  );
  const businessId = rows[0]?.business_id ?? '';
  const command: IntroduceBusiness = {
    type: 'IntroduceBusiness',
    at: new Date().toISOString(),
    data: { businessId, intro },
  };
  const cause = { commandId: Bun.randomUUIDv7(), actor: 'system', correlation: 'test' };
  await handleCommand(store, businessDecider, streamName('business', businessId), command, cause);
}
