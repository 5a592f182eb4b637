import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCredential } from '#api/accounts/credentials.ts';
import { passwordsOf } from '#api/accounts/passwords.ts';
import { reservationKey } from '#api/accounts/reservations.ts';
import { inventBusiness } from '#api/seed/volume/invent-business.ts';
import {
  type SeededVolume,
  seedVolume,
  type VolumeDeps,
  type VolumePlan,
} from '#api/seed/volume/seed-volume.ts';
import { verifyChain } from '#core/event-store/chain.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { jobDecider } from '#core/job/job.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { projections } from '#projections/registry.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { clearReadModels, dumpReadModels } from '#tests/support/log/histories.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';

const plan: VolumePlan = {
  ...{ businesses: 3, jobs: 150, heavy: 50, seed: 3 },
  now: new Date('2026-11-20T00:00:00.000Z'),
};

let database: TestDatabase;
let log: RunningLog;
let deps: VolumeDeps;
let seeded: SeededVolume;

beforeAll(async () => {
  database = await testDatabase();
  const dataKey = randomBytes(32);
  log = runningLog(database, dataKey);
  const config = testConfig({ DATA_KEY: dataKey.toString('base64') });
  const { pool } = database;
  const subjectKeys = createSubjectKeys({ pool, dataKey });
  const clock = { now: () => new Date(), newId: () => Bun.randomUUIDv7() };
  deps = { config, db: pool, pool, store: log.store, subjectKeys, ...clock };
  seeded = await seedVolume(deps, plan);
});
afterAll(async () => {
  await log.close();
  await database.close();
});

const system = () => ({
  ...{ store: log.store, pool: database.pool, connectionString: database.url, log: silentLog },
});

async function* wholeLog() {
  const { pool, url: connectionString } = database;
  const raw = openEmbeddedLog({ pool, connectionString });
  try {
    for (let page = await raw.readAll('0', 500); page.length > 0; ) {
      yield* page;
      page = await raw.readAll(page.at(-1)?.position ?? '', 500);
    }
  } finally {
    await raw.close();
  }
}

test('every job is in the log, sealed and chained, at positions without a hole', async () => {
  expect(seeded.jobs).toBe(200);
  const head = await log.store.head();
  expect(await verifyChain(wholeLog())).toEqual({ checked: Number(head), broken: null });
  const events = await log.store.readAll('0', 5_000);
  expect(events.filter(({ event }) => event === undefined)).toEqual([]);
  expect(new Set(events.map(({ metadata }) => metadata.actor))).toEqual(new Set(['seed']));
  const { rows } = await database.pool.query(
    `select type from event_store.events where (data - 'personal')::text ~ '@|[+]6[14]'`,
  );
  expect(rows).toEqual([]);
});

test('what a rebuild makes of it is what the worker makes of it', async () => {
  for (const projection of projections) await rebuild(system(), projection);
  const rebuilt = await dumpReadModels(database.pool);
  await clearReadModels(database.pool);
  await database.pool.query(
    'insert into read.checkpoints select name, version, $1 from unnest($2::text[], $3::int[]) as p(name, version)',
    [0, projections.map(keyOf), projections.map(({ version }) => version)],
  );
  await bringUpToDate(system(), projections);
  expect(await dumpReadModels(database.pool)).toEqual(rebuilt);
  for (const projection of projections) {
    expect(await verify(system(), projection)).toMatchObject({ differences: [] });
  }
});

test('the first business signs in and finds its fifty jobs', async () => {
  const { email, password } = seeded.first;
  const credential = await findCredential(database.pool, reservationKey(deps.config, 'email', email));
  expect(await passwordsOf(deps.config).matches(password, credential?.hash ?? null)).toBe(true);
  const businessId = credential?.businessId ?? '';
  const asked = { businessId, timeZone: 'Pacific/Auckland', now: plan.now };
  expect(await countJobs(database.pool, asked)).toMatchObject({ count: { all: 50 } });
  expect((await listJobCards(database.pool, asked)).jobs).toHaveLength(50);
});

test('again it adds nothing', async () => {
  const before = await log.store.head();
  expect(await seedVolume(deps, plan)).toMatchObject({ jobs: 0, events: 0 });
  expect(await log.store.head()).toBe(before);
});

test('a seeded job goes on like any other', async () => {
  const events = await log.store.readAll('0', 5_000);
  const pending = events.find(
    ({ type, stream }) =>
      type === 'JobRequested' && events.filter((event) => event.stream === stream).length === 1,
  );
  if (!pending?.event) throw new Error('no job is pending');
  const { jobId, businessId } = pending.event.data as { jobId: string; businessId: string };
  const command = { type: 'AcceptJob', at: new Date().toISOString(), data: { jobId, businessId } } as const;
  const cause = { commandId: crypto.randomUUID(), actor: 'account:hone', correlation: 'test' };
  const handled = await handleCommand(log.store, jobDecider, pending.stream, command, cause);
  expect(handled.state?.status).toBe('To quote');
  expect(await verifyChain(wholeLog())).toMatchObject({ broken: null });
});

test('what another account has is refused', async () => {
  const other = { ...plan, seed: 4 };
  const { email } = inventBusiness(other.seed, 0).registration;
  await database.pool.query(
    `insert into state.reservations (kind, key, owner, status) values ('email', $1, gen_random_uuid(), 'kept')`,
    [reservationKey(deps.config, 'email', email)],
  );
  await expect(seedVolume(deps, other)).rejects.toThrow(ConflictError);
});
