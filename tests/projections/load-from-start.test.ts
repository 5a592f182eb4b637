import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { type LogFields, silentLog } from '#projections/runtime/failure.ts';
import { type HeldStreams, loadFromStart } from '#projections/runtime/rebuild/load.ts';
import type { Pace } from '#projections/runtime/rebuild/pace.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { withSideBuilds } from '#projections/runtime/rebuild/side-build.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { anyHistory } from '#tests/support/log/histories.ts';
import { aJob, brunswick, finishedLog, record } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const depsOf = (events: readonly RecordedEvent[], warnings: LogFields[] = []) => ({
  store: finishedLog(events),
  pool: database.pool,
  connectionString: database.url,
  log: { ...silentLog, warn: (fields: LogFields) => warnings.push(fields) },
});

/** Every row of the projection of jobs, built in pages of `size` events with as many streams held as `held` says. */
function build(events: readonly RecordedEvent[], kind: Pace['kind'], size: number, held?: HeldStreams) {
  const pace: Pace = { kind, batch: () => size, ahead: 1, rest: async () => {} };
  return withSideBuilds(depsOf(events), [jobsProjection], 'check', undefined, async ({ builds, alive }) => {
    await loadFromStart(depsOf(events), builds, { signal: alive, pace }, held);
    const dump: Record<string, unknown[]> = {};
    for (const { name } of jobsProjection.tables) {
      const { rows } = await database.pool.query(
        `select to_jsonb(t) as row from ${builds[0]?.build.table(name)} as t order by to_jsonb(t)::text collate "C"`,
      );
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  });
}

test('however many streams are held and however long the pages, rows are those of batches written at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyHistory,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(
        { most: 0, left: 0 },
        { most: 1, left: 0 },
        { most: 2, left: 1 },
        { most: 99, left: 9 },
      ),
      async (streamEvents, size, held) => {
        const events = record(streamEvents);
        expect(await build(events, 'fast', size, held)).toEqual(await build(events, 'gentle', 5));
      },
    ),
    { numRuns: 30 },
  );
});

test('an event whose row the database refuses is parked alone, and the rest is built', async () => {
  const [healthy, refused, later] = ['healthy', 'refused', 'later'].map((id) => aJob(id, brunswick));
  if (!healthy || !refused || !later) throw new Error('three jobs');
  const events = record([
    ...[healthy.requested(), refused.requested(), healthy.accepted(), refused.noted('NUL: \0')],
    ...[later.requested(), later.accepted(), healthy.noted('Ring first'), refused.accepted()],
  ]);
  const warnings: LogFields[] = [];
  const deps = depsOf(events, warnings);
  await rebuild(deps, jobsProjection);
  const { rows: parked } = await database.pool.query(
    'select position, stream, reason from read.projection_parked where projection = $1 order by position',
    [keyOf(jobsProjection)],
  );
  expect(parked).toEqual([
    { position: '4', stream: 'job-refused', reason: expect.stringContaining('22P05') },
    { position: '8', stream: 'job-refused', reason: 'follows a parked event' },
  ]);
  const { rows } = await database.pool.query(
    `select job_id, status, notes from ${jobTables.jobs} join ${jobTables.details} using (job_id) order by job_id`,
  );
  expect(rows).toMatchObject([
    { job_id: 'healthy', status: 'To quote', notes: 'Ring first' },
    { job_id: 'later', status: 'To quote' },
    { job_id: 'refused', status: 'Pending' },
  ]);
  expect(warnings).toEqual([{ event: 'projection-build-again', reason: expect.stringContaining('22') }]);
  expect((await verify(deps, jobsProjection)).differences).toEqual([]);
});

test('the policy of the details of jobs is forced again after they were built', async () => {
  const job = aJob('guarded', brunswick);
  await rebuild(depsOf(record([job.requested(), job.accepted()])), jobsProjection);
  const { rows } = await database.pool.query(
    'select relrowsecurity, relforcerowsecurity from pg_class where oid = $1::regclass',
    [jobTables.details],
  );
  expect(rows).toEqual([{ relrowsecurity: true, relforcerowsecurity: true }]);
});
