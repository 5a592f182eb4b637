import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { openLockSession } from '#core/postgres/locks.ts';
import { migrate, readMigrations } from '#migrations/run.ts';
import { listJobCards } from '#projections/jobs/list.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { readerLock } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { prune } from '#projections/runtime/rebuild/prune.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { projections } from '#projections/runtime/registry.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { createReadTables } from '#tests/support/app/postgres.ts';
import { runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, registration } from '#tests/support/scenarios/events.ts';

/** For its server: the database of the earlier release lies beside it. */
let beside: TestDatabase;
const name = `earlier_${randomBytes(6).toString('hex')}`;
const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

beforeAll(async () => {
  beside = await testDatabase();
  await beside.admin.query(`create database ${name} owner ute_owner`);
});
afterAll(async () => {
  await beside.admin.query(`drop database if exists ${name} with (force)`);
  await beside.close();
});

/** The tables of the last release whose read models came with migrations, with a job in each, as it left them. */
async function layOutEarlier(): Promise<void> {
  const all = await readMigrations(new URL('../../migrations/sql/', import.meta.url));
  await migrate(
    at(beside.ownerUrl),
    all.filter((migration) => migration.name < '0033'),
  );
  const owner = testPool(forAllBusinesses(at(beside.ownerUrl)), 1);
  await owner.query(
    `insert into read.job_cards_v3 (job_id, business_id, type, status, title, is_urgent, created_at, name, email, phone,
       address, notes, revision)
     values ('job-0', $1, 'Consumer', 'Pending', 'Leaking tap', false, now(), 'Matiu', 'm@example.com', '+61491570156',
       '22/140 Lygon St', '', 0)`,
    [brunswick.businessId],
  );
  await owner.query(`insert into read.job_counts_v3 values ($1, 'Pending', 1)`, [brunswick.businessId]);
  await owner.query(`insert into read.held_jobs values ('job-0', $1, 'rush', 1)`, [brunswick.businessId]);
  await owner.query(
    `insert into read.checkpoints values ('job-cards_v3', 3, 5), ('job-details_v2', 2, 5), ('held-jobs', 1, 5),
       ('accounts', 1, 0), ('public-form', 1, 0)`,
  );
  await owner.end();
}

test('an upgrade builds the jobs anew beside the tables of the release before, which stay until they are pruned', async () => {
  await layOutEarlier();
  await migrate(at(beside.ownerUrl));
  const url = at(beside.url);
  const pool = testPool(forAllBusinesses(url));
  const log = runningLog({ pool, url });
  const connection = { pool, connectionString: url };
  // More than is folded straight into empty tables.
  const jobs = Array.from({ length: 1_001 }, (_, n) => aJob(`job-${n}`, brunswick).requested());
  await log.append(...registration(brunswick), ...jobs, aJob('job-0', brunswick).held());

  await createReadTables(url);
  const readSide = createReadSide({ ...connection, store: log.store });
  const states = async () =>
    Object.fromEntries((await readSide.status()).map(({ name, state }) => [name, state]));
  const live = { jobs: 'live', accounts: 'live', 'public-form': 'live' };
  expect(await states()).toEqual({ jobs: 'building', accounts: 'building', 'public-form': 'behind' });
  const worker = startProjections({ ...connection, store: log.store });
  await vi.waitFor(async () => expect(await states()).toEqual(live), { timeout: 60_000 });
  for (const projection of projections) {
    const deps = { ...connection, store: log.store, log: silentLog };
    expect(await verify(deps, projection)).toMatchObject({ differences: [] });
  }
  const now = new Date('2026-11-17T00:00:00Z');
  const { jobs: cards } = await listJobCards(pool, { ...brunswick, now, dir: 'asc' });
  expect(cards[0]).toMatchObject({ id: 'job-0', heldFor: 'rush' });

  const left = async () => {
    const { rows } = await pool.query(
      `select (select count(*)::int from read.job_cards_v3) as cards, (select n::int from read.job_counts_v3) as counted,
         (select count(*)::int from read.held_jobs) as held`,
    );
    return rows[0];
  };
  expect(await left()).toEqual({ cards: 1, counted: 1, held: 1 });
  const older = await openLockSession(url, 'test of an older process');
  await older.take([readerLock('job-cards_v3')]);
  expect((await prune(connection, projections)).inUse).toEqual(['job-cards_v3']);
  await older.close();
  expect(await prune(connection, projections)).toEqual({ dropped: ['job-cards_v3'], inUse: [] });
  expect(await prune(connection, projections)).toEqual({ dropped: [], inUse: [] });
  const { rows } = await pool.query(
    `select tablename as name from pg_tables where schemaname = 'read' and tablename ~ '^(job|held)' order by 1`,
  );
  const present = Object.values(jobTables).map((quoted) => quoted.split('"')[3]);
  expect(rows.map((row) => row.name)).toEqual(present.toSorted());
  expect(await states()).toEqual(live);

  await worker.stop();
  await readSide.close();
  await log.close();
  await pool.end();
});
