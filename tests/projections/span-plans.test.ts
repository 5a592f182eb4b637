import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inTransaction } from '#core/postgres/transaction.ts';
import { countBoard, listBoard } from '#projections/jobs/board.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { aJob, brunswick, record } from '#tests/support/scenarios/events.ts';

const JOBS = 3_000;
const SPANS = 6;
const now = new Date('2026-11-16T22:10:00.000Z');
const job = aJob('lygon', brunswick);
const { table } = liveBuild(jobsProjection);
const { jobs, details, spans } = jobTables;

let database: TestDatabase;

/** One business has all the jobs, each with five spans that are over and one that goes on. */
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  await inTransaction(pool, (db) => jobsProjection.apply(db, table, record([job.requested()])));
  for (const name of [jobs, details, spans])
    await pool.query(`alter table ${name} set (autovacuum_enabled = off)`);
  for (const name of [jobs, details])
    await pool.query(`insert into ${name}
      select copy.* from ${name} as one, generate_series(1, ${JOBS}) as n,
        jsonb_populate_record(one, jsonb_build_object('job_id', 'lygon-' || n)) as copy`);
  await pool.query(`insert into ${spans}
    select copy.* from ${spans} as one, generate_series(1, ${JOBS}) as n, generate_series(1, ${SPANS}) as nth,
      jsonb_populate_record(one, jsonb_build_object('job_id', 'lygon-' || n, 'from_revision', nth,
        'valid_from', n + nth * ${JOBS},
        'valid_to', case when nth = ${SPANS} then one.valid_to else n + (nth + 1) * ${JOBS} end)) as copy`);
});
afterAll(() => database.close());

/** The plan of each statement about spans that `work` sends, with the settings that it is sent under. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const plans: Promise<string>[] = [];
  const send = Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    const asked = typeof args[0] === 'string' ? { text: args[0], values: args[1] } : Object(args[0]);
    if (/^select\b[\s\S]*\bjob_spans/.test(asked.text ?? '')) {
      const explained = send.call(this, { text: `explain ${asked.text}`, values: asked.values });
      plans.push(
        (explained as Promise<{ rows: { 'QUERY PLAN': string }[] }>).then(({ rows }) =>
          rows.map((row) => row['QUERY PLAN']).join('\n'),
        ),
      );
    }
    return send.apply(this, args);
  } as never);
  try {
    await work();
    return await Promise.all(plans);
  } finally {
    spy.mockRestore();
  }
}

const opened = () => record([job.opened()]).map((event) => ({ ...event, revision: 1, position: '99999' }));

test.each([
  ['without statistics', ''],
  ['with statistics', `vacuum analyze ${jobs}, ${details}, ${spans}`],
])('%s the follower finds the open span of a job by the key of that job', async (_, first) => {
  if (first) await database.pool.query(first);
  const plans = await plansOf(() =>
    inTransaction(database.pool, (db) => jobsProjection.apply(db, table, opened())),
  );
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(/Index (Only )?Scan (Backward )?using job_spans(?:_v\d+)?_pkey/);
  expect(plans[0]).not.toMatch(/job_spans(?:_v\d+)?_valid|Seq Scan on job_spans/);
});

test.each([
  ['an old', 2],
  ['a young', SPANS],
])('counts and pages of %s moment read the index of spans alone', async (_, nth) => {
  await database.pool.query(`vacuum analyze ${jobs}, ${spans}`);
  const board = { ...brunswick, now, position: String(nth * JOBS + JOBS / 2) };
  const page = { statuses: [], today: false, dir: 'desc', page: 1, limit: 75 } as const;
  const plans = await plansOf(async () => {
    await countBoard(database.pool, board);
    await listBoard(database.pool, { ...board, ...page, sort: 'createdAt' });
    await listBoard(database.pool, { ...board, ...page, sort: 'scheduledAt' });
  });
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).toMatch(/Index Only Scan using job_spans(?:_v\d+)?_valid/);
    expect(plan).not.toMatch(/Seq Scan|Parallel/);
  }
});
