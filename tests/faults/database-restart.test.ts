import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-form.ts';
import { testPool } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type OwnPostgres, ownPostgres } from '#tests/support/app/postgres.ts';
import { type Sent, type SteadyLoad, steadyLoad } from '#tests/support/log/running-log.ts';
import { killAll, runUte, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';

const PER_SECOND = 50;
/** Deadlines are five times what is promised: two seconds for a refusal, ten to be well again. */
const REFUSED = 10_000;
const WELL = 50_000;

const folder = tempFolder('restart');
let postgres: OwnPostgres;
let ute: Ute;

beforeAll(async () => {
  postgres = await ownPostgres();
  ute = await startUteProcess({ ...postgres.environment, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
}, 180_000);
// What fails while the server stands still leaves it so, and nothing of it would ever end.
afterEach(() => postgres?.thaw());
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  await postgres?.close();
  folder.remove();
});

/** Waits until the load, from now on, has met `times` answers of a kind. */
async function meets(load: SteadyLoad, is: (one: Sent) => boolean, times: number): Promise<void> {
  const from = performance.now();
  const met = () => load.sent.filter((one) => one.at >= from && is(one)).length;
  await expect.poll(met, { timeout: WELL, interval: 20 }).toBeGreaterThanOrEqual(times);
}

const isRefused = ({ status }: Sent) => status === 503;
const isStored = ({ reference }: Sent) => reference !== null;

async function storedReferences(): Promise<string[]> {
  const pool = testPool(postgres.url);
  const { rows } = await pool.query<{ stream: string }>(
    `select stream from event_store.events where type = 'JobRequested'`,
  );
  await pool.end();
  return rows.map(({ stream }) => jobReference(stream.replace('job-', '')));
}

test(
  `Postgres restarted ${faultTimes} under ${PER_SECOND} requests a second loses nothing that was acknowledged`,
  async () => {
    const tradie = await ute.signIn();
    const count = () => tradie.get('/api/jobs/count');
    const load = steadyLoad(PER_SECOND, [
      () => postForm(ute.client, 'acme-plumbing'),
      ...[count, count],
      () => tradie.get('/api/jobs'),
      () => ute.client.get('/t/acme-plumbing'),
    ]);
    for (let round = 0; round < faultRounds; round += 1) {
      await meets(load, isStored, 10);
      expect(await ute.status('/t/acme-plumbing')).toBe(200);
      await postgres.stop(round % 2 === 0 ? 'fast' : 'immediate');
      await meets(load, isRefused, 50);
      expect(await ute.status('/api/health/live')).toBe(200);
      expect(await ute.status('/api/health/ready')).toBe(503);
      expect(await ute.status('/t/acme-plumbing')).toBe(200);
      await postgres.start();
      await expect.poll(() => ute.status('/api/health/ready'), { timeout: WELL }).toBe(200);
      await meets(load, isStored, 10);
    }
    const sent = await load.stop();

    expect(ute.child.exitCode).toBeNull();
    expect([...new Set(sent.map(({ status }) => status))].toSorted()).toEqual([200, 303, 503]);
    const refused = sent.filter(isRefused);
    expect(refused.every(({ retryAfter }) => retryAfter)).toBe(true);
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(REFUSED);

    const stored = await storedReferences();
    const acknowledged = sent.flatMap(({ reference }) => reference ?? []);
    expect(acknowledged.filter((reference) => !stored.includes(reference))).toEqual([]);
    // The read models are written without waiting for the disk: what the crash took of them has to be followed again.
    const environment = { ...postgres.environment, DATA_DIR: folder.path, LOG_LEVEL: 'silent' };
    const verified = await runUte(environment, 'projections', 'verify');
    expect(verified, verified.err).toMatchObject({ code: 0 });
  },
  faultRounds * 100_000,
);

test('while Postgres hangs without a word, no request waits long, and all is well once it goes on', async () => {
  const tradie = await ute.signIn();
  await expect.poll(() => ute.status('/t/acme-plumbing'), { timeout: WELL }).toBe(200);
  await postgres.freeze();
  const load = steadyLoad(PER_SECOND, [
    () => postForm(ute.client, 'acme-plumbing'),
    () => tradie.get('/api/jobs/count'),
  ]);
  await meets(load, isRefused, 100);
  expect(await ute.status('/t/acme-plumbing')).toBe(200);
  await postgres.thaw();
  await meets(load, isStored, 5);
  const sent = await load.stop();
  expect(sent.filter(({ status }) => ![200, 303, 503].includes(status))).toEqual([]);
  expect(Math.max(...sent.filter(isRefused).map(({ ms }) => ms))).toBeLessThan(REFUSED);
}, 200_000);
