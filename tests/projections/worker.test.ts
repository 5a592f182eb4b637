import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createLogOrigin } from '#core/event-store/log-origin.ts';
import { lockClass } from '#core/postgres/locks.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { keyOf, leadLock, liveBuild } from '#projections/runtime/build.ts';
import { type LogFields, silentLog } from '#projections/runtime/failure.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { readReaderPositions } from '#projections/runtime/read-side/status.ts';
import { acceptRestored } from '#projections/runtime/rebuild/rebuild.ts';
import { type ProjectionsOptions, startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, ponsonby, registration } from '#tests/support/scenarios/events.ts';

const names = projections.map(({ name }) => name);
const jobCounts = liveBuild(jobsProjection).table('job_counts');

let database: TestDatabase;
let log: RunningLog;
let readSide: ReadSide;
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
});
beforeEach(() => {
  readSide = createReadSide({ pool: database.pool, connectionString: database.url, store: log.store });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await readSide.close();
  await clearReadModels(database.pool);
});
afterAll(async () => {
  await log.close();
  await database.close();
});

function start(options: Partial<ProjectionsOptions> = {}) {
  const worker = startProjections({
    ...{ store: log.store, pool: database.pool, connectionString: database.url, retryLeadMs: 20 },
    ...options,
  });
  workers.push(worker);
  return worker;
}

async function caughtUp() {
  expect(await readSide.waitFor(names, await log.store.head(), 30_000)).toBe('caught-up');
}

const statusOf = async (jobId: string) => {
  const { rows } = await database.pool.query(`select status from ${jobTables.jobs} where job_id = $1`, [
    jobId,
  ]);
  return rows[0]?.status;
};

const parkedIn = async (projection: Projection) => {
  const { rows } = await database.pool.query(
    'select stream, type, reason from read.projection_parked where projection = $1 order by position',
    [keyOf(projection)],
  );
  return rows;
};

test('the read models follow the log, and readiness says that they are live', async () => {
  start();
  const job = aJob('follow', brunswick);
  await log.append(...registration(brunswick), job.requested(), job.accepted());
  await caughtUp();
  expect(await statusOf('follow')).toBe('To quote');
  expect((await readSide.status()).map(({ state, parked }) => `${state} ${parked}`)).toEqual(
    names.map(() => 'live 0'),
  );
});

test('an event that cannot be read is parked with its stream, and everything else flows on', async () => {
  start();
  const [poisoned, healthy] = [aJob('poisoned', brunswick), aJob('healthy', brunswick)];
  await log.append(poisoned.requested());
  await log.appendUnreadable('job-poisoned');
  await log.append(poisoned.accepted(), healthy.requested(), healthy.accepted());
  await caughtUp();
  expect(await statusOf('healthy')).toBe('To quote');
  expect(await statusOf('poisoned')).toBe('Pending');
  expect(await parkedIn(jobsProjection)).toEqual([
    { stream: 'job-poisoned', type: 'KettleBoiled', reason: 'unknown type' },
    { stream: 'job-poisoned', type: 'JobAccepted', reason: 'follows a parked event' },
  ]);
  await log.append(poisoned.noted('still parked'));
  await caughtUp();
  expect(await parkedIn(jobsProjection)).toHaveLength(3);
  const parked = (await readSide.status()).map(({ name, parked }) => [name, parked]);
  expect(Object.fromEntries(parked)).toEqual({
    ...{ jobs: 3 },
    ...{ accounts: 0, 'public-form': 0 },
  });
});

test('an event on which a projection throws is found in its batch, tried again, and parked alone', async () => {
  const jobs = Array.from({ length: 9 }, (_, index) => aJob(`batch-${index}`, ponsonby));
  for (const job of jobs) await log.append(job.requested(), job.accepted());
  const attempts = vi.fn();
  const touchy: Projection = {
    ...jobsProjection,
    async apply(db, table, events) {
      if (events.some(({ stream, revision }) => stream === 'job-batch-4' && revision === 1)) {
        attempts(events.length);
        throw new TypeError('secret of a customer');
      }
      return jobsProjection.apply(db, table, events);
    },
  };
  start({ projections: [touchy] });
  await readSide.waitFor(['jobs'], await log.store.head(), 30_000);
  expect(await parkedIn(jobsProjection)).toContainEqual({
    ...{ stream: 'job-batch-4', type: 'JobAccepted', reason: 'TypeError' },
  });
  expect(await statusOf('batch-4')).toBe('Pending');
  expect(await statusOf('batch-5')).toBe('To quote');
  expect(attempts.mock.calls.filter(([size]) => size === attempts.mock.calls[0]?.[0])).toHaveLength(3);
});

test('a database that fails is waited out: nothing is parked', async () => {
  let failures = 0;
  const interrupted: Projection = {
    ...jobsProjection,
    async apply(db, table, events) {
      failures++;
      if (failures === 1) await db.query('select pg_terminate_backend(pg_backend_pid())');
      if (failures === 2) await db.query('select * from read.no_such_table');
      return jobsProjection.apply(db, table, events);
    },
  };
  await log.append(aJob('outage', brunswick).requested());
  start({ projections: [interrupted] });
  expect(await readSide.waitFor(['jobs'], await log.store.head(), 30_000)).toBe('caught-up');
  expect(failures).toBeGreaterThan(2);
  expect(await statusOf('outage')).toBe('Pending');
  const { rows } = await database.pool.query(
    `select from read.projection_parked where stream = 'job-outage'`,
  );
  expect(rows).toHaveLength(0);
});

test('every connection cut at once, three times, loses nothing and doubles nothing', async () => {
  start();
  const jobs = Array.from({ length: 30 }, (_, n) => aJob(`cut-${n}`, brunswick));
  for (const [n, job] of jobs.entries()) {
    const streamEvent = job.requested();
    // As a client does whose connection was cut: the same again.
    await vi.waitFor(() => log.append(streamEvent), { timeout: 20_000 });
    if (n % 10 !== 5) continue;
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  }
  const head = await log.store.head();
  await vi.waitFor(async () => expect(await readSide.waitFor(names, head, 2_000)).toBe('caught-up'), {
    timeout: 30_000,
  });
  const { rows } = await database.pool.query(
    `select (select count(*)::int from ${jobTables.jobs} where job_id like 'cut-%') as cards,
       (select count(*)::int from ${jobTables.jobs}) = (select sum(n)::int from ${jobTables.counts}) as counted`,
  );
  expect(rows[0]).toEqual({ cards: 30, counted: true });
});

test('of two workers one leads; when its connection dies the other takes over', async () => {
  const led: string[] = [];
  const logger = (who: string) => ({
    info: ({ event }: LogFields) => led.push(`${who}: ${event}`),
    warn() {},
    error() {},
  });
  start({ logger: logger('first') });
  await vi.waitFor(() => expect(led).toEqual(['first: projections-lead-taken']), { timeout: 20_000 });
  start({ logger: logger('second') });
  const job = aJob('lead', brunswick);
  await log.append(job.requested());
  await caughtUp();
  expect(led).toHaveLength(1);

  const { rows } = await database.pool.query(
    `select count(pg_terminate_backend(pid))::int as killed from pg_locks
     where locktype = 'advisory' and classid = $1 and objid = hashtext($2)::oid
       and database = (select oid from pg_database where datname = current_database())`,
    [lockClass, leadLock(keyOf(jobsProjection))],
  );
  expect(rows[0]?.killed).toBe(1);
  await vi.waitFor(() => expect(led).toHaveLength(2), { timeout: 20_000 });
  await log.append(job.accepted());
  await caughtUp();
  expect(await statusOf('lead')).toBe('To quote');
});

test('a checkpoint ahead of the log, as after a restore, waits for the operator, and the others flow on', async () => {
  const lines: LogFields[] = [];
  await log.append(aJob('restored', brunswick).requested());
  await database.pool.query(
    'insert into read.checkpoints (projection, version, position) values ($1, $2, 1000000)',
    [keyOf(jobsProjection), jobsProjection.version],
  );
  await database.pool.query(`insert into ${jobCounts} values ('business-brunswick', 'Paid', false, 7)`);
  const ahead = { event: 'followers-ahead-of-log', followers: [keyOf(jobsProjection)] };
  start({ logger: { info() {}, warn() {}, error: (fields) => void lines.push(fields) } });
  const others = names.filter((name) => name !== 'jobs');
  expect(await readSide.waitFor(others, await log.store.head(), 30_000)).toBe('caught-up');
  await vi.waitFor(() => expect(lines).toContainEqual(ahead), {
    timeout: 30_000,
  });
  expect(await positionOf(jobsProjection)).toBe('1000000');
  expect(await paidJobs()).toHaveLength(1);

  const { pool, url: connectionString } = database;
  const readers = () => readReaderPositions(pool, projections);
  const origin = createLogOrigin({ store: log.store, pool, kind: 'embedded', readers });
  const deps = { store: log.store, pool, connectionString, log: silentLog };
  expect(await acceptRestored(deps, origin, { projections, processes: [] })).toEqual({
    ...{ takenBack: [], rebuilt: ['jobs'] },
  });
  await log.append(aJob('after', brunswick).requested());
  await caughtUp();
  expect([await statusOf('restored'), await statusOf('after')]).toEqual(['Pending', 'Pending']);
  expect(await paidJobs()).toHaveLength(0);
});

const positionOf = async (projection: Projection) =>
  (
    await database.pool.query('select position from read.checkpoints where projection = $1', [
      keyOf(projection),
    ])
  ).rows[0]?.position;

const paidJobs = async () =>
  (await database.pool.query(`select n from ${jobCounts} where status = 'Paid'`)).rows;
