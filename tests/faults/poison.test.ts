import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReadiness } from '#api/http/health/readiness.ts';
import { readProofStatus } from '#api/proof/read.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { EventStore, RecordedEvent } from '#core/event-store/port.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { keyOf } from '#projections/runtime/build.ts';
import type { LogFields } from '#projections/runtime/failure.ts';
import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder, testConfig } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { aJob, at, brunswick } from '#tests/support/scenarios/events.ts';

const dataKey = randomBytes(32);
const names = projections.map(({ name }) => name);
const ofJobs = projections.filter(({ categories }) => categories.includes('job'));

let database: TestDatabase;
let log: RunningLog;
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder('poison');
  database = await testDatabase();
  log = runningLog(database, dataKey);
});
afterAll(async () => {
  await log.close();
  await database.close();
  folder.remove();
});

/** What a process that has just started makes of the log, and how often it was asked for a stream. */
function freshStore() {
  const store = createEmbeddedEventStore({ pool: database.pool, connectionString: database.url, dataKey });
  const reads: string[] = [];
  const counting: EventStore = {
    ...store,
    readStream: (stream, from) => {
      reads.push(stream);
      return store.readStream(stream, from);
    },
  };
  return { store: counting, reads, close: store.close };
}

/** The store of a release that knows the boiled kettle, and version 99 of an acceptance. */
function upgraded(store: EventStore): EventStore {
  const read = (event: RecordedEvent): RecordedEvent => {
    const own = { jobId: event.stream.slice('job-'.length), businessId: brunswick.businessId };
    const { unreadable, ...place } = event;
    if (event.type === 'KettleBoiled') {
      const data = { ...own, notes: 'The kettle has boiled', changedAt: at };
      return { ...place, event: { type: 'JobNotesChanged', data } };
    }
    if (unreadable && event.schema === 99) {
      return { ...place, event: { type: 'JobAccepted', data: { ...own, acceptedAt: at } } };
    }
    return event;
  };
  return {
    ...store,
    readStream: async (stream, from) => (await store.readStream(stream, from)).map(read),
    readAll: async (after, limit) => (await store.readAll(after, limit)).map(read),
  };
}

/** Takes the wrapped key of a customer away; answers the way to give it back. */
async function hideKey(subject: string): Promise<() => Promise<unknown>> {
  const key = 'select wrapped_key from state.subject_keys where subject = $1';
  const { rows } = await database.pool.query(key, [subject]);
  const set = (value: Buffer) =>
    database.pool.query('update state.subject_keys set wrapped_key = $2 where subject = $1', [
      subject,
      value,
    ]);
  await set(randomBytes(60));
  return () => set(rows[0]?.wrapped_key);
}

const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

async function parkedIn(projection: string) {
  const { rows } = await database.pool.query(
    `select position, stream, type, reason from read.projection_parked where projection = $1 order by position`,
    [projection],
  );
  return rows;
}

async function jobRow(id: string) {
  const { rows } = await database.pool.query(
    `select status, notes, name from ${jobTables.jobs} join ${jobTables.details} using (job_id) where job_id = $1`,
    [id],
  );
  return rows[0];
}

test.each([1, 2])(
  'poison is set aside with its stream, all else flows on, and a replay clears it (round %i)',
  async (round) => {
    const { pool, url: connectionString } = database;
    const [kettle, version, sealed, healthy] = ['kettle', 'version', 'sealed', 'healthy'].map((name) =>
      aJob(`${name}-${round}`, brunswick),
    );
    if (!kettle || !version || !sealed || !healthy) throw new Error('four jobs');
    const positions: string[] = [];
    await log.append(kettle.requested(), version.requested());
    positions.push(await log.appendUnreadable(`job-kettle-${round}`));
    positions.push(await log.appendUnreadable(`job-version-${round}`, { type: 'JobAccepted', schema: 99 }));
    positions.push(await log.append(sealed.requested()));
    const giveBack = await hideKey(`customer-sealed-${round}`);

    const fresh = freshStore();
    const said: LogFields[] = [];
    const logger = { info() {}, warn() {}, error: (fields: LogFields) => said.push(fields) };
    const readSide = createReadSide({ pool, connectionString, store: fresh.store });
    const worker = startProjections({ store: fresh.store, pool, connectionString, logger, retryLeadMs: 20 });
    const readiness = () =>
      checkReadiness({
        ...{ config: testConfig(), db: pool, store: fresh.store, readSide, now: () => new Date() },
        proof: { status: () => readProofStatus(pool) },
      });

    positions.push(await log.append(kettle.accepted()), await log.append(version.noted('Ring first')));
    positions.push(await log.append(sealed.accepted()));
    const appended = await log.append(healthy.requested(), healthy.accepted());
    expect(await readSide.waitFor(names, appended, 30_000)).toBe('caught-up');

    expect(await jobRow(`healthy-${round}`)).toMatchObject({ status: 'To quote' });
    expect(await jobRow(`kettle-${round}`)).toMatchObject({ status: 'Pending', notes: '' });
    expect(await jobRow(`version-${round}`)).toMatchObject({ status: 'Pending', notes: '' });
    expect(await jobRow(`sealed-${round}`)).toBeUndefined();
    const reasons = ['unknown type', 'unknown version of its type', 'its key is missing'];
    for (const projection of ofJobs) {
      const parked = await parkedIn(keyOf(projection));
      expect(parked.map(({ position }) => position)).toEqual(positions);
      expect(parked.map(({ reason }) => reason)).toEqual([
        ...reasons,
        ...Array(3).fill('follows a parked event'),
      ]);
    }
    // Said after the commit that lets the others see it.
    const parkedCards = () =>
      said.filter(
        ({ event, projection }) => event === 'event-parked' && projection === keyOf(jobsProjection),
      );
    await expect.poll(parkedCards).toHaveLength(6);
    // The read that brought it and two more, by each projection.
    expect(fresh.reads.filter((stream) => stream === `job-sealed-${round}`)).toHaveLength(2 * ofJobs.length);
    await expect.poll(readiness).toMatchObject({
      ready: true,
      degraded: true,
      checks: { projections: 'degraded' },
    });

    const before = await ute('projections', 'replay-parked');
    expect(before.code).toBe(1);
    expect(before.out).toContain('jobs: 0 applied, 6 still parked');
    await giveBack();
    const between = await ute('projections', 'replay-parked');
    expect(between).toMatchObject({ code: 1 });
    expect(between.out).toContain('jobs: 2 applied, 4 still parked');
    expect(await jobRow(`sealed-${round}`)).toMatchObject({ status: 'To quote', name: 'Matiu Ngata' });

    const store = upgraded(fresh.store);
    const deps = { store, pool, connectionString, log: logger };
    for (const projection of ofJobs) {
      expect(await replayParked(deps, projection)).toEqual({ applied: 4, remaining: [] });
    }
    expect(await jobRow(`kettle-${round}`)).toMatchObject({
      status: 'To quote',
      notes: 'The kettle has boiled',
    });
    expect(await jobRow(`version-${round}`)).toMatchObject({ status: 'To quote', notes: 'Ring first' });
    for (const projection of ofJobs) {
      expect(await verify(deps, projection)).toMatchObject({ differences: [] });
    }
    await expect.poll(readiness).toMatchObject({ ready: true, degraded: false });
    await worker.stop();
    await readSide.close();
    await fresh.close();
  },
);
