import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followerOf, type Process } from '#api/background/process.ts';
import { outbox, processes } from '#api/rooms.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { aJob, at, brunswick } from '#tests/support/scenarios/events.ts';

const dataKey = randomBytes(32);
const folder = tempFolder('processes');
const refused = new Map<string, Error>();
const acted: string[] = [];

/** Notes the streams that it acted on, and fails on those that a test names. */
const noting: Process<object> = {
  name: 'noting',
  follows: ['JobRequested', 'JobAccepted'],
  begins: 'at the start',
  async step(_deps, events) {
    for (const { stream, type } of events) {
      const failure = refused.get(stream);
      if (failure) throw failure;
      acted.push(`${stream} ${type}`);
    }
  },
};
const follower = followerOf(noting, {});

let database: TestDatabase;
let log: RunningLog;
let readSide: ReadSide;
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database, dataKey);
  const { pool, url: connectionString } = database;
  await openProcess({ pool, store: log.store }, follower);
  await openProcess({ pool, store: log.store }, followerOf(outbox, { now: () => new Date(at) }));
  readSide = createReadSide({ pool, connectionString, store: log.store, projections: [follower] });
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await readSide?.close();
  await log?.close();
  await database?.close();
  folder.remove();
});

function start(): void {
  const { pool, url: connectionString } = database;
  const following = { projections: [], processes: [follower] };
  workers.push(startProjections({ store: log.store, pool, connectionString, retryLeadMs: 20, ...following }));
}

async function caughtUp(): Promise<void> {
  expect(await readSide.waitFor(['noting'], await log.store.head(), 30_000)).toBe('caught-up');
}

const replay = () => replayParked({ store: log.store, pool: database.pool, log: silentLog }, follower);
const status = async () => (await readSide.status())[0];
const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

test('every process has a name of its own, and follows something', () => {
  expect(new Set(processes.map(({ name }) => name)).size).toBe(processes.length);
  for (const { name, follows } of processes) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(follows).not.toEqual([]);
  }
});

test('of two workers one acts, and on the events alone that the process follows', async () => {
  start();
  start();
  await log.append(aJob('one', brunswick).requested(), aJob('one', brunswick).noted('x'));
  await caughtUp();
  expect(acted).toEqual(['job-one JobRequested']);
});

test('an outage of what a step needs is waited out, and sets nothing aside', async () => {
  acted.length = 0;
  refused.set('job-two', new EventStoreUnavailableError('unavailable'));
  await log.append(aJob('two', brunswick).requested());
  await expect.poll(async () => (await status())?.state, { timeout: 30_000 }).toBe('behind');
  refused.clear();
  await caughtUp();
  expect(acted).toEqual(['job-two JobRequested']);
  expect(await status()).toMatchObject({ parked: 0 });
});

test('an event on which a step throws is set aside with its stream, and a replay acts on both in order', async () => {
  acted.length = 0;
  const job = aJob('three', brunswick);
  refused.set('job-three', new Error('wrong'));
  await log.append(job.requested(), aJob('four', brunswick).requested(), job.accepted());
  await caughtUp();
  expect(new Set(acted)).toEqual(new Set(['job-four JobRequested']));
  expect(await status()).toMatchObject({ state: 'live', parked: 2 });
  expect(await replay()).toMatchObject({
    applied: 0,
    remaining: [{ reason: 'Error' }, { reason: 'follows a parked event' }],
  });
  refused.clear();
  acted.length = 0;
  expect(await replay()).toEqual({ applied: 2, remaining: [] });
  expect(acted).toEqual(['job-three JobRequested', 'job-three JobAccepted']);
  expect(await status()).toMatchObject({ state: 'live', parked: 0 });
});

test('`ute processes status` shows every process, in lines and as JSON, and answers 1 when one has parked events', async () => {
  const names = processes.map(({ name }) => name);
  const before = await ute('processes', 'status', '--json');
  expect({ err: before.err, code: before.code }).toEqual({ err: '', code: 0 });
  const shown = JSON.parse(before.out) as { name: string; parked: number }[];
  expect(shown.map(({ name, parked }) => [name, parked])).toEqual(names.map((name) => [name, 0]));

  const position = await log.appendUnreadable('job-one');
  await database.pool.query(
    `insert into state.process_parked values ('outbox', $1, 'job-one', 2, 'KettleBoiled', 'unknown type')`,
    [position],
  );
  const { out, code } = await ute('processes', 'status');
  expect(code).toBe(1);
  expect(out).toMatch(/^process +state +position\/head +parked\n/);
  expect(out).toMatch(/^outbox +\w+ +\d+\/\d+ +1 parked$/m);
  expect((await ute('projections', 'status')).out).not.toContain('outbox');
});

test('`ute processes replay-parked` names what still cannot be acted on, and answers 1', async () => {
  const { out, code } = await ute('processes', 'replay-parked', 'outbox');
  expect(code).toBe(1);
  expect(out).toMatch(/^outbox: 0 applied, 1 still parked\n {2}\d+ job-one KettleBoiled: unknown type\n$/);
  const all = await ute('processes', 'replay-parked', '--json');
  expect(all.code).toBe(1);
  const [first] = all.out.split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({ name: 'outbox', applied: 0, remaining: [{}] });
  const unknown = await ute('processes', 'replay-parked', 'outbx');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('There are outbox, ') });
});
