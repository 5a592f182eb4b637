import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RecordedEvent, START } from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { exchangeLock, liveBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { projectBatch } from '#projections/runtime/follow/batch.ts';
import {
  lockCheckpoint,
  moveCheckpoint,
  park,
  readCheckpoint,
} from '#projections/runtime/follow/checkpoint.ts';
import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, ponsonby } from '#tests/support/scenarios/events.ts';

const jobs = jobsProjection as Projection;
let database: TestDatabase;
let log: RunningLog;

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
  await createMissingTables(database.pool, [jobs]);
});
afterAll(async () => {
  await log.close();
  await database.close();
});

const statusOf = async (jobId: string) => {
  const statement = `select status from ${jobTables.jobs} where job_id = $1`;
  const { rows } = await database.pool.query(statement, [jobId]);
  return rows[0]?.status;
};

/** A batch of jobs from where the checkpoint is to the end of the log, which does `meanwhile` between its reads and its write. */
async function projectJobs(meanwhile: () => Promise<unknown> = async () => {}) {
  const build = liveBuild(jobs);
  const from = (await readCheckpoint(database.pool, build.key))?.position ?? START;
  const events = await log.store.readAll(from, 1_000);
  const projection: Projection = {
    ...jobs,
    apply: (db, table, batch, buffer, end) =>
      jobs.apply(
        db,
        table,
        batch,
        buffer,
        end &&
          (async (...last) => {
            await meanwhile();
            await end(...last);
          }),
      ),
  };
  const { pool } = database;
  const deps = { store: log.store, pool, log: silentLog };
  return projectBatch(deps, projection, build, { from, to: await log.store.head(), events });
}

const jobsAreRight = async () => {
  const deps = { store: log.store, pool: database.pool, connectionString: database.url, log: silentLog };
  expect((await verify(deps, jobs)).differences).toEqual([]);
};

test('two writers of the same batch: one moves, the other finds the checkpoint elsewhere, and each job counts once', async () => {
  await log.append(aJob('one-writer', brunswick).requested());
  expect(await projectJobs()).toBe('moved');
  await log.append(aJob('one-writer', brunswick).accepted(), aJob('two-writers', brunswick).requested());
  let other: string | undefined;
  const outcome = await projectJobs(async () => {
    other ??= await projectJobs();
  });
  expect([outcome, other]).toEqual(['elsewhere', 'moved']);
  await jobsAreRight();
});

test('a batch that was read before a replay of its stream is read again, and takes nothing of the replay back', async () => {
  const job = aJob('replayed', ponsonby);
  await log.append(job.requested());
  await projectJobs();
  await log.append(job.accepted());
  const build = liveBuild(jobs);
  const [accepted] = await log.store.readStream('job-replayed' as StreamName, 1);
  const position = accepted?.position ?? '';
  await inTransaction(database.pool, async (db) => {
    await park(db, build, [{ event: accepted as RecordedEvent, reason: 'a test' }]);
    await moveCheckpoint(db, { ...build, version: jobs.version }, String(Number(position) - 1), position);
  });
  await log.append(job.noted('meanwhile'));
  const deps = { store: log.store, pool: database.pool, log: silentLog };
  const replays: number[] = [];
  expect(
    await projectJobs(async () => {
      if (replays.length === 0) replays.push((await replayParked(deps, jobs)).applied);
    }),
  ).toBe('moved');
  expect(replays).toEqual([1]);
  expect(await statusOf('replayed')).toBe('To quote');
  await jobsAreRight();
});

test('while its tables are about to be exchanged a batch waits for the checkpoint, and holds nothing', async () => {
  const job = aJob('exchanged', ponsonby);
  await log.append(job.requested());
  await projectJobs();
  await log.append(job.accepted());
  const { key } = liveBuild(jobs);
  const batch = await inTransaction(database.pool, async (db) => {
    await lockUntilCommit(db, exchangeLock(key));
    await lockCheckpoint(db, key);
    const waiting = projectJobs();
    await expect.poll(() => waitingForRows(), { timeout: 10_000 }).toBe(1);
    await db.query(`set local lock_timeout = '1s'; lock table ${jobTables.jobs} in access exclusive mode`);
    return { waiting };
  });
  expect(await batch.waiting).toBe('moved');
  await jobsAreRight();
});

async function waitingForRows(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%for update%'`,
  );
  return rows[0]?.n ?? 0;
}
