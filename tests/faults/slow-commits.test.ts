import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RecordedEvent, START } from '#core/event-store/port.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { expectOrdered } from '#tests/event-store/contract/order.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { aJob, brunswick, customers, ponsonby, registration } from '#tests/support/scenarios/events.ts';

/** Stores at once, as of so many processes. */
const WRITERS = 4;
/** Jobs that each of them writes side by side. */
const JOBS = 8;
/** An event is written, and its commit follows up to so many seconds later. */
const SLOWEST = 0.02;

const dataKey = randomBytes(32);
let database: TestDatabase;
let writers: RunningLog[];

beforeAll(async () => {
  database = await testDatabase();
  await database.admin.query(`
    create function event_store.dawdle() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(random() * ${SLOWEST});
      return null;
    end $$;
    create constraint trigger commits_dawdle after insert on event_store.events
      deferrable initially deferred for each row execute function event_store.dawdle();`);
  writers = Array.from({ length: WRITERS }, () => runningLog(database, dataKey));
});
afterAll(async () => {
  for (const writer of writers) await writer.close();
  await database.close();
});

/** All writers at once, each on jobs of its own; answers how many jobs. */
async function write(round: number): Promise<number> {
  const jobs = writers.flatMap((writer, w) =>
    Array.from({ length: JOBS }, (_, n) => {
      const tenant = n % 2 === 0 ? brunswick : ponsonby;
      const job = aJob(`job-${round}-${w}-${n}`, tenant, customers[n % customers.length]);
      return writer.append(job.requested(), job.accepted(), job.moved('Quoted'));
    }),
  );
  await Promise.all(jobs);
  return jobs.length;
}

test(`${WRITERS} writers whose commits take their time, ${faultTimes}: what is projected is what was logged`, async () => {
  const { pool, url: connectionString } = database;
  const given: RecordedEvent[] = [];
  const remembering = (projection: Projection): Projection => ({
    ...projection,
    apply(db, table, events) {
      given.push(...events);
      return projection.apply(db, table, events);
    },
  });
  const watched = projections.map((one) => (one.name === 'jobs' ? remembering(one) : one));
  const { store, append } = writers[0] as RunningLog;
  await append(...registration(brunswick), ...registration(ponsonby));
  const worker = startProjections({ store, pool, connectionString, projections: watched, retryLeadMs: 20 });
  const readSide = createReadSide({ pool, connectionString, store });
  const names = projections.map(({ name }) => name);
  let jobs = 0;
  for (let round = 0; round < faultRounds; round += 1) {
    jobs += await write(round);
    expect(await readSide.waitFor(names, await store.head(), 30_000)).toBe('caught-up');

    const logged = (await store.readAll(START, 1_000_000)).filter(({ stream }) => stream.startsWith('job-'));
    expect(given.map(({ id }) => id)).toEqual(logged.map(({ id }) => id));
    expectOrdered(given);
    const { rows } = await pool.query(`select count(*)::int as cards from ${jobTables.jobs}`);
    expect(rows[0]).toEqual({ cards: jobs });
  }
  for (const projection of projections) {
    expect(await verify({ store, pool, connectionString, log: silentLog }, projection)).toMatchObject({
      differences: [],
    });
  }
  await worker.stop();
  await readSide.close();
});
