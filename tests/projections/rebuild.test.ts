import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listJobCards } from '#projections/jobs/list.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { sideBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { type RebuildDeps, RebuildRunningError, rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { dumpReadModels } from '#tests/support/log/histories.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, customers, ponsonby, registration } from '#tests/support/scenarios/events.ts';

const names = projections.map(({ name }) => name);

let database: TestDatabase;
let log: RunningLog;
let deps: RebuildDeps;
let readSide: ReturnType<typeof createReadSide>;
let worker: ReturnType<typeof startProjections>;
let jobs = 0;
/** Before any rebuild: tables of migrations among them, which the declarations must equal. */
let asMade: Awaited<ReturnType<typeof catalogue>>;

beforeAll(async () => {
  database = await testDatabase();
  asMade = await catalogue();
  log = runningLog(database);
  const { pool, url: connectionString } = database;
  deps = { store: log.store, pool, connectionString, log: silentLog };
  readSide = createReadSide({ pool, connectionString, store: log.store });
  worker = startProjections({ store: log.store, pool, connectionString });
  await log.append(...registration(brunswick), ...registration(ponsonby));
});
beforeEach(() => appendJobs(20));
afterAll(async () => {
  await worker.stop();
  await readSide.close();
  await log.close();
  await database.close();
});

async function appendJobs(amount: number): Promise<void> {
  for (let n = 0; n < amount; n++) {
    jobs++;
    const tenant = jobs % 3 === 0 ? ponsonby : brunswick;
    const job = aJob(`job-${jobs}`, tenant, customers[jobs % customers.length]);
    await log.append(jobs % 2 === 0 ? job.requested() : job.added());
    if (jobs % 4 === 0) await log.append(job.accepted(), job.moved('Quoted'));
    if (jobs % 5 === 0) await log.append(job.unsuccessful());
  }
}

async function caughtUp(): Promise<void> {
  expect(await readSide.waitFor(names, await log.store.head(), 30_000)).toBe('caught-up');
}

const catalogue = async () => {
  const { rows } = await database.pool.query(
    `select indexname, indexdef from pg_indexes where schemaname = 'read' order by 1`,
  );
  const { rows: constraints } = await database.pool.query(
    `select conrelid::regclass::text as owner, conname, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'read'::regnamespace and contype <> 'n' order by 1, 2`,
  );
  const { rows: columns } = await database.pool.query(
    `select table_name, ordinal_position, column_name, data_type, is_nullable, collation_name
     from information_schema.columns where table_schema = 'read' order by 1, 2`,
  );
  return { rows, constraints, columns };
};

test('a rebuild under live appends loses nothing, and readers always find a full table', async () => {
  await caughtUp();
  let rebuilding = true;
  const least = { cards: jobs };
  const reader = (async () => {
    while (rebuilding) {
      const { rows } = await database.pool.query(`select count(*)::int as n from ${jobTables.jobs}`);
      expect(rows[0].n).toBeGreaterThanOrEqual(least.cards);
    }
  })();
  const writer = (async () => {
    while (rebuilding) await appendJobs(1);
  })();
  for (const projection of projections) await rebuild(deps, projection);
  await rebuild(deps, jobsProjection);
  rebuilding = false;
  await Promise.all([reader, writer]);
  await caughtUp();
  for (const projection of projections) {
    expect(await verify(deps, projection)).toMatchObject({ differences: [] });
  }
  const page = await listJobCards(database.pool, {
    ...brunswick,
    now: new Date(),
    statuses: ['Quoted'],
    limit: 100,
  });
  expect(page.jobs.length).toBeGreaterThan(0);
});

test('columns, indexes and constraints have the same names and definitions after a rebuild', async () => {
  for (const projection of projections) await rebuild(deps, projection);
  expect(await catalogue()).toEqual(asMade);
});

test('a rebuild that dies on the way changes nothing, and another can start', async () => {
  await caughtUp();
  const before = await dumpReadModels(database.pool);
  const dying: Projection = {
    ...jobsProjection,
    async apply(db, table, events) {
      if (!table('jobs').includes('__next')) return jobsProjection.apply(db, table, events);
      await jobsProjection.apply(db, table, events);
      return db.query('select pg_terminate_backend(pg_backend_pid())').then(() => []);
    },
  };
  await expect(rebuild(deps, dying)).rejects.toThrow();
  expect(await dumpReadModels(database.pool)).toEqual(before);
  // What a killed process leaves behind.
  await database.pool.query(
    `create table ${sideBuild(jobsProjection, 'next').table('jobs')} (left_over text)`,
  );
  await database.pool.query(
    `insert into read.checkpoints values ('${sideBuild(jobsProjection, 'next').key}', 2, 5)`,
  );
  await rebuild(deps, jobsProjection);
  expect(await dumpReadModels(database.pool)).toEqual(before);
  const { rows } = await database.pool.query(
    `select tablename from pg_tables where schemaname = 'read' and tablename like '%\\_\\_%'`,
  );
  expect(rows).toEqual([]);
});

test('one rebuild of a projection at a time; meanwhile status says so and no reader waits for it', async () => {
  let overlapping: unknown;
  let seen: unknown;
  let waited: unknown;
  await rebuild(deps, {
    ...jobsProjection,
    async apply(db, table, events) {
      overlapping ??= await rebuild(deps, jobsProjection).catch((error) => error);
      seen ??= (await readSide.status()).find(({ name }) => name === 'jobs')?.state;
      waited ??= await readSide.waitFor(['jobs'], '999999', 30_000);
      return jobsProjection.apply(db, table, events);
    },
  });
  expect(overlapping).toBeInstanceOf(RebuildRunningError);
  expect(seen).toBe('rebuilding');
  expect(waited).toBe('behind');
});

test('verify tells a row that was changed by hand, and a count that drifted', async () => {
  await caughtUp();
  await database.pool.query(`update ${jobTables.jobs} set title = 'changed by hand' where job_id = 'job-1'`);
  await database.pool.query(`delete from ${jobTables.jobs} where job_id = 'job-2'`);
  await database.pool.query(`update ${jobTables.counts} set n = n + 1 where status = 'Quoted'`);
  const { differences } = await verify(deps, jobsProjection);
  expect(differences).toEqual([
    { table: 'jobs', onlyLive: 1, onlyRebuilt: 2 },
    { table: 'job_counts', onlyLive: 2, onlyRebuilt: 2 },
  ]);
  await rebuild(deps, jobsProjection);
  expect((await verify(deps, jobsProjection)).differences).toEqual([]);
});
