import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followerOf } from '#api/background/process.ts';
import { outbox as outboxDeclared } from '#api/rooms.ts';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { dumpReadModels } from '#tests/support/log/histories.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { aJob, at, brunswick, registration, type StreamEvent } from '#tests/support/scenarios/events.ts';
import { createServerLog, type ServerLog } from '#tests/support/servers/eventstoredb/server-log.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';

const jobCards = liveBuild(jobsProjection).table('jobs');
const dataKey = randomBytes(32);
const folder = tempFolder('restored-log');
const outboxProcess = followerOf(outboxDeclared, { now: () => new Date(Date.parse(at) + 1_000) });
const followers = [...projections, outboxProcess];
const names = followers.map(({ name }) => name);
const [first, lost, later] = ['first', 'lost', 'later'].map((name) => aJob(name, brunswick)) as [
  ReturnType<typeof aJob>,
  ReturnType<typeof aJob>,
  ReturnType<typeof aJob>,
];

let database: TestDatabase;
let whole: StandIn;
let restored: StandIn;

beforeAll(async () => {
  [database, whole] = await Promise.all([testDatabase(), startStandIn()]);
  await onLog(whole, async (store) => {
    await openProcess({ pool: database.pool, store }, outboxProcess);
    await append(store, ...registration(brunswick), first.requested(), lost.requested());
    await follow(store);
  });
  const ours = whole.log.all.filter(({ stream }) => !stream.startsWith('$'));
  restored = await startStandIn({ log: copyOf(whole.log, ours.length - 1) });
  await ute(whole, 'projections', 'status');
});
afterAll(async () => {
  whole?.kill();
  restored?.kill();
  await database?.close();
  folder.remove();
});

const addressOf = ({ host, port }: StandIn) => `esdb://${host}:${port}?tls=false`;

function ute(server: StandIn | null, ...words: string[]) {
  const environment = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...(server ? { EVENTSTORE_URL: addressOf(server) } : {}),
  };
  return runUte(environment, ...words);
}

async function onLog(server: StandIn, work: (store: EventStore) => Promise<void>): Promise<void> {
  const store = createEventStoreDbEventStore({ url: addressOf(server), pool: database.pool, dataKey });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function append(store: EventStore, ...streamEvents: StreamEvent[]): Promise<void> {
  for (const { stream, event } of streamEvents) {
    const end = (await store.readStream(stream)).length;
    const id = uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', `${stream}/${end}`);
    const cause = { actor: 'system', correlation: 'test', causation: id, at };
    await store.append(stream, end === 0 ? 'no-stream' : end - 1, [{ id, event }], cause);
  }
}

/** Lets a worker run until everything that follows the log is at its end. */
async function follow(store: EventStore): Promise<void> {
  const { pool, url: connectionString } = database;
  const worker = startProjections({
    store,
    pool,
    connectionString,
    processes: [outboxProcess],
    retryLeadMs: 20,
  });
  const readSide = createReadSide({ pool, connectionString, store, projections: followers });
  const head = await store.head();
  // While a first build runs, waiting is refused at once.
  const isThere = async () => expect(await readSide.waitFor(names, head, 1_000)).toBe('caught-up');
  await vi.waitFor(isThere, { timeout: 60_000 });
  await worker.stop();
  await readSide.close();
}

/** The log as a copy of it held it when it had so many events. */
function copyOf({ all }: ServerLog, events: number): ServerLog {
  const copy = createServerLog();
  for (const event of all.filter(({ stream }) => !stream.startsWith('$')).slice(0, events)) {
    copy.append(event.stream, 'any', [event]);
  }
  return copy;
}

async function everything() {
  const { rows } = await database.pool.query(`select projection, position from read.checkpoints
     union all select process, position from state.process_positions order by 1`);
  return { models: await dumpReadModels(database.pool), checkpoints: rows, outbox: await outbox() };
}

const outbox = async () =>
  (await database.pool.query('select id, job_id, kind, delivery_status from state.outbox order by id')).rows;

test.each([
  [['projections', 'rebuild', 'all'], 1],
  [['projections', 'status'], 1],
  // It could not look: neither fits nor does not.
  [['audit', 'verify'], 2],
  [['outbox', 'list'], 1],
])('in a shell without EVENTSTORE_URL %j refuses in one line and changes nothing', async (words, refused) => {
  const before = await everything();
  const { out, err, code } = await ute(null, ...words);
  expect({ out, code }).toEqual({ out: '', code: refused });
  expect(err).toMatch(
    /^This is another log: .*\(eventstoredb\).*\(embedded\) and is empty.*set EVENTSTORE_URL.*\n$/,
  );
  expect(await everything()).toEqual(before);
});

test('a restored log is refused until it is accepted; then everything fits it and nothing is sent twice', async () => {
  const before = await everything();
  expect(before.outbox.length).toBeGreaterThan(0);
  for (const words of [
    ['projections', 'rebuild', 'all'],
    ['projections', 'status'],
  ]) {
    const { err, code } = await ute(restored, ...words);
    expect(err).toMatch(
      /^The log lacks what was read of it: .*outbox.* run: bun run ute log accept-restored\n$/,
    );
    expect(code).toBe(1);
  }
  const status = await ute(restored, 'log', 'status');
  expect(status).toMatchObject({ code: 1, out: expect.stringContaining('outbox had read up to position') });
  expect(await everything()).toEqual(before);

  const accepted = await ute(restored, 'log', 'accept-restored');
  expect(accepted).toMatchObject({ code: 0 });
  expect(accepted.out).toContain('outbox: reads the log from its start\n');
  expect(accepted.out).toContain('jobs: rebuilt\n');
  expect(await ute(restored, 'log', 'status')).toMatchObject({ code: 0 });

  await onLog(restored, async (store) => {
    await follow(store);
    expect(await outbox()).toEqual(before.outbox);
    const jobs = async () =>
      (await database.pool.query(`select job_id from ${jobCards} order by job_id`)).rows;
    expect(await jobs()).toEqual([{ job_id: 'first' }]);
    await append(store, later.requested());
    await follow(store);
    expect(await jobs()).toEqual([{ job_id: 'first' }, { job_id: 'later' }]);
  });
  const fresh = (await outbox()).filter(({ job_id }) => job_id === 'later');
  expect(fresh).toHaveLength(before.outbox.filter(({ job_id }) => job_id === 'first').length);
  expect(await ute(restored, 'projections', 'verify')).toMatchObject({ code: 0 });
  expect((await ute(restored, 'log', 'accept-restored')).out).toContain('nothing to do');
});

test('a server that this installation has never followed is refused, whatever is asked of it', async () => {
  const stranger = await startStandIn();
  for (const words of [
    ['log', 'accept-restored'],
    ['projections', 'rebuild', 'all'],
  ]) {
    const { err, code } = await ute(stranger, ...words);
    expect(err).toMatch(/^This is another log: .* is empty\. Nothing was changed: .*\n$/);
    expect(code).toBe(1);
  }
  stranger.kill();
});
