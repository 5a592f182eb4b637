import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { followerOf } from '#api/background/process.ts';
import { outbox } from '#api/rooms.ts';
import { createLogOrigin } from '#core/event-store/log-origin.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { openProcess, readCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { readReaderPositions } from '#projections/runtime/read-side/status.ts';
import { acceptRestored, rebuildTogether } from '#projections/runtime/rebuild/rebuild.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, at, brunswick } from '#tests/support/scenarios/events.ts';

const outboxProcess = followerOf(outbox, { now: () => new Date(Date.parse(at) + 1_000) });
const kinds = ['new-job-mail', 'new-job-sms', 'request-receipt', 'unopened-job-sms'];

let database: TestDatabase;
let log: RunningLog;
let readSide: ReadSide;
let jobs = 0;
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
});
beforeEach(async () => {
  jobs += 1;
  await openProcess({ pool: database.pool, store: log.store }, outboxProcess);
  const { pool, url: connectionString } = database;
  readSide = createReadSide({ pool, connectionString, store: log.store, projections: [outboxProcess] });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await readSide.close();
  await clearReadModels(database.pool);
  await forget();
  await database.pool.query('delete from state.outbox');
});
afterAll(async () => {
  await log.close();
  await database.close();
});

function start() {
  const { pool, url: connectionString } = database;
  const worker = startProjections({
    ...{ store: log.store, pool, connectionString, retryLeadMs: 20 },
    ...{ projections: [], processes: [outboxProcess] },
  });
  workers.push(worker);
  return worker;
}

async function caughtUp() {
  expect(await readSide.waitFor(['outbox'], await log.store.head(), 30_000)).toBe('caught-up');
}

/** As a database is that no process has followed the log for. */
async function forget(): Promise<void> {
  await database.pool.query('delete from state.process_positions');
  await database.pool.query('delete from state.process_parked');
}

function checkpoint() {
  const { key, checkpoints } = liveBuild(outboxProcess);
  return readCheckpoint(database.pool, key, checkpoints);
}

const job = (name = `job-${jobs}`) => aJob(name, brunswick);

async function queued(jobId = `job-${jobs}`): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select kind from state.outbox where job_id = $1 order by kind',
    [jobId],
  );
  return rows.map(({ kind }) => kind);
}

test('what follows from an event stands in the outbox once, however often the event comes by', async () => {
  await log.append(job().requested());
  const { pool } = database;
  const events = (await log.store.readStream(`job-job-${jobs}`)) as RecordedEvent[];
  const db = await pool.connect();
  try {
    const { table } = liveBuild(outboxProcess);
    for (const batch of [events, events, [...events, ...events]]) await outboxProcess.apply(db, table, batch);
  } finally {
    db.release();
  }
  expect(await queued()).toEqual(kinds);
});

test('a restart goes on where it was, and says nothing again', async () => {
  await log.append(job().requested());
  await start().stop();
  start();
  await caughtUp();
  await log.append(job('later').requested());
  await caughtUp();
  await workers[0]?.stop();
  start();
  await log.append(job('latest').requested());
  await caughtUp();
  for (const id of [`job-${jobs}`, 'later', 'latest']) expect(await queued(id)).toEqual(kinds);
});

test('what stood in the log before it was opened is none of its business', async () => {
  await forget();
  await log.append(job().requested());
  start();
  await vi.waitFor(async () => expect(await checkpoint()).not.toBeNull(), {
    timeout: 30_000,
  });
  await log.append(job('new').requested());
  await caughtUp();
  expect(await queued()).toEqual([]);
  expect(await queued('new')).toEqual(kinds);
});

test('a rebuild of everything puts nothing into the outbox and leaves its checkpoint alone', async () => {
  start();
  await log.append(job().requested());
  await caughtUp();
  const before = await checkpoint();
  await database.pool.query('delete from state.outbox');
  const { pool, url: connectionString } = database;
  await rebuildTogether({ store: log.store, pool, connectionString, log: silentLog }, projections);
  expect(await queued()).toEqual([]);
  expect(await checkpoint()).toEqual(before);
  expect(projections.map(({ name }) => name)).not.toContain('outbox');
});

test('after a restored log was accepted it starts anew, and repeats no message', async () => {
  start();
  await log.append(job().requested());
  await caughtUp();
  await workers[0]?.stop();
  await database.pool.query('update state.process_positions set position = 1000000');
  const { pool, url: connectionString } = database;
  const readers = () => readReaderPositions(pool, [outboxProcess]);
  const origin = createLogOrigin({ store: log.store, pool, kind: 'embedded', readers });
  const deps = { store: log.store, pool, connectionString, log: silentLog };
  expect(await acceptRestored(deps, origin, { projections: [], processes: [outboxProcess] })).toEqual({
    ...{ takenBack: ['outbox'], rebuilt: [] },
  });
  expect((await checkpoint())?.position).toBe('0');
  start();
  await caughtUp();
  expect(await queued()).toEqual(kinds);
});

test('an event that cannot be read holds up no other, shows in the status, and is replayed once it can', async () => {
  start();
  await log.append(job().requested());
  await log.appendUnreadable(`job-job-${jobs}`);
  await log.append(job().rejected(), job('healthy').requested());
  await caughtUp();
  expect(await queued()).toEqual(kinds);
  expect(await queued('healthy')).toEqual(kinds);
  expect(await readSide.status()).toMatchObject([{ name: 'outbox', state: 'live', parked: 2 }]);
  const deps = { store: log.store, pool: database.pool, log: silentLog };
  expect(await replayParked(deps, outboxProcess)).toMatchObject({ applied: 0, remaining: [{}, {}] });
});
