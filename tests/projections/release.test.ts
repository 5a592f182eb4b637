import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checkReadiness } from '#api/http/health/readiness.ts';
import { readProofStatus } from '#api/proof/read.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { keyOf, liveBuild, tableOf } from '#projections/runtime/build.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { prune } from '#projections/runtime/rebuild/prune.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick } from '#tests/support/scenarios/events.ts';

/** The release that comes after: its cards shout, and its tables are its own. */
const nextCards: Projection = {
  ...jobsProjection,
  version: jobsProjection.version + 1,
  async apply(db, table, events) {
    await opening;
    const changes = await jobsProjection.apply(db, table, events);
    await db.query(`update ${table('jobs')} set title = upper(title)`);
    return changes;
  },
};

let opening = Promise.resolve();
let database: TestDatabase;
let log: RunningLog;
const running: Process[] = [];

type Process = Readonly<{ readSide: ReadSide; stop(): Promise<void> }>;

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
  // What the next release does as it starts.
  await createMissingTables(database.pool, [nextCards]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});
afterAll(async () => {
  await log.close();
  await database.close();
});

/** A process of a release, with connections of its own, that works and reads. */
function start(projection: Projection): Process {
  const { pool, url: connectionString } = database;
  const projections = [projection];
  const readSide = createReadSide({ pool, connectionString, store: log.store, projections });
  const worker = startProjections({ store: log.store, pool, connectionString, projections, retryLeadMs: 20 });
  const stop = async () => {
    await worker.stop();
    await readSide.close();
  };
  const process = { readSide, stop };
  running.push(process);
  return process;
}

async function titlesOf(projection: Projection): Promise<string[]> {
  const cards = liveBuild(projection).table('jobs');
  const { rows } = await database.pool.query(`select title from ${cards} order by job_id`);
  return rows.map(({ title }) => title);
}

const stateOf = async ({ readSide }: Process) => (await readSide.status())[0]?.state;
const caughtUp = async ({ readSide }: Process) =>
  expect(await readSide.waitFor(['jobs'], await log.store.head(), 30_000)).toBe('caught-up');
const isReady = async ({ readSide }: Process) =>
  (
    await checkReadiness({
      ...{ config: testConfig(), db: database.pool, store: log.store, readSide, now: () => new Date() },
      proof: { status: () => readProofStatus(database.pool) },
    })
  ).ready;

test('a release with a new version builds its tables before it is ready; the old one goes on with its own', async () => {
  const many = Array.from({ length: 1_001 }, (_, n) => aJob(`job-${n}`, brunswick).requested());
  await log.append(...many);
  const old = start(jobsProjection);
  await vi.waitFor(async () => expect(await stateOf(old)).toBe('live'), { timeout: 60_000 });

  const { promise, resolve } = Promise.withResolvers<void>();
  opening = promise;
  const next = start(nextCards);
  await vi.waitFor(async () => expect(await stateOf(next)).toBe('building'), { timeout: 30_000 });
  expect([await isReady(old), await isReady(next)]).toEqual([true, false]);
  await log.append(aJob('meanwhile', brunswick).requested());
  await caughtUp(old);
  expect(await titlesOf(jobsProjection)).toHaveLength(1_002);
  expect(await titlesOf(nextCards)).toEqual([]);

  resolve();
  await vi.waitFor(async () => expect(await stateOf(next)).toBe('live'), { timeout: 60_000 });
  expect(await isReady(next)).toBe(true);
  await log.append(aJob('of-both', brunswick).requested());
  await Promise.all([caughtUp(old), caughtUp(next)]);
  expect(new Set(await titlesOf(jobsProjection))).toEqual(new Set(['Leaking shower mixer']));
  expect(new Set(await titlesOf(nextCards))).toEqual(new Set(['LEAKING SHOWER MIXER']));
  expect(await titlesOf(nextCards)).toHaveLength(1_003);
});

test('processes that start at once make the tables of a version once, with indexes and policies', async () => {
  const { pool } = database;
  const later: Projection = { ...jobsProjection, version: jobsProjection.version + 2 };
  const starts = Array.from({ length: 5 }, () => createMissingTables(pool, [later]));
  expect(await Promise.all(starts)).toHaveLength(5);
  const shapeOf = async (projection: Projection) => {
    const { rows } = await pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'read' and tablename = any($1)
       union all select indexname from pg_indexes where schemaname = 'read' and tablename = any($1)
       union all select tablename || ' ' || policyname from pg_policies where schemaname = 'read' and tablename = any($1)
       order by 1`,
      [projection.tables.map(({ name }) => tableOf(projection, name))],
    );
    return rows.map(({ name }) => name.replace(`_v${projection.version}`, ''));
  };
  expect(await shapeOf(later)).toEqual(await shapeOf(jobsProjection));
  expect(await shapeOf(later)).toContain('job_details one_business');
});

test('going back to the old release finds its tables as it left them, and catches up', async () => {
  const next = start(nextCards);
  await log.append(aJob('after-the-old-one-left', brunswick).requested());
  await caughtUp(next);
  const count = (await titlesOf(jobsProjection)).length;
  const old = start(jobsProjection);
  await caughtUp(old);
  expect(await titlesOf(jobsProjection)).toHaveLength(count + 1);
});

test('tables of an older version are dropped once no process uses them, and never the present ones', async () => {
  const { pool, url: connectionString } = database;
  const prunedBy = (projection: Projection) => prune({ pool, connectionString }, [projection]);
  // Older ones than these two, which no process of this test reads.
  await prunedBy(jobsProjection);
  const old = start(jobsProjection);
  const next = start(nextCards);
  // A process that has folded something new follows the log, and holds the lock that says so.
  await log.append(aJob('of-both-again', brunswick).requested());
  await Promise.all([caughtUp(old), caughtUp(next)]);
  expect(await prunedBy(nextCards)).toEqual({ dropped: [], inUse: [keyOf(jobsProjection)] });
  await running.shift()?.stop();
  expect(await prunedBy(jobsProjection)).toEqual({ dropped: [], inUse: [] });
  expect(await prunedBy(nextCards)).toEqual({ dropped: [keyOf(jobsProjection)], inUse: [] });
  expect(await prunedBy(nextCards)).toEqual({ dropped: [], inUse: [] });
  expect(await stateOf(next)).toBe('live');
});
