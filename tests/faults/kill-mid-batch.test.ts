import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followerOf } from '#api/background/process.ts';
import { outbox } from '#api/rooms.ts';
import { projections } from '#projections/registry.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';
import { aJob, at, brunswick, registration } from '#tests/support/scenarios/events.ts';

/** Every statement with many rounds; else every so many, from a random one on. */
const STRIDE = everyFault ? 1 : 5;
const seed = Number(process.env['FAULT_SEED'] ?? randomInt(STRIDE));

const dataKey = randomBytes(32);
const outboxProcess = followerOf(outbox, { now: () => new Date(at) });
const followers = [...projections, outboxProcess];
const script = new URL('./projection-worker.ts', import.meta.url).pathname;

let database: TestDatabase;
let log: RunningLog;
let jobs = 0;
let running: ChildProcess | undefined;

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database, dataKey);
  await openProcess({ pool: database.pool, store: log.store }, outboxProcess);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await log.close();
  await database.close();
});

/** Events for every follower, so that each has a batch to write. */
async function appendForAll(): Promise<void> {
  jobs += 1;
  const own = { accountId: `account-${jobs}`, businessId: `business-${jobs}`, slug: `tradie-${jobs}` };
  const tenant = { ...brunswick, ...own } as typeof brunswick;
  const job = aJob(`job-${jobs}`, tenant);
  await log.append(...registration(tenant), job.requested(), job.accepted(), job.moved('Quoted'));
}

async function hasCaughtUp(): Promise<boolean> {
  const { rows } = await database.pool.query(
    `select coalesce(min(position), 0)::text as at, count(*)::int as n
     from (select projection, position from read.checkpoints where projection <> 'outbox'
       union all select process, position from state.process_positions) as reached(follower, position)
     where follower = any($1)`,
    [followers.map(keyOf)],
  );
  return rows[0].n === followers.length && rows[0].at === (await log.store.head());
}

/** Whether a worker died before the statement: one that has fewer to send catches up instead. */
async function diesBefore(statement: number): Promise<boolean> {
  const child = spawn('bun', [script, database.url, dataKey.toString('base64'), '', String(statement)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running = child;
  const ended = once(child, 'exit');
  await expect
    .poll(async () => child.signalCode !== null || (await hasCaughtUp()), { timeout: 60_000, interval: 20 })
    .toBe(true);
  const hasDied = child.signalCode === 'SIGKILL';
  child.kill('SIGKILL');
  await ended;
  return hasDied;
}

test(`a worker killed between any two statements of its batches leaves rows and positions that agree (seed ${seed} of ${STRIDE})`, async () => {
  let deaths = 0;
  for (let statement = 1 + seed; ; statement += STRIDE) {
    await appendForAll();
    if (!(await diesBefore(statement))) break;
    deaths += 1;
  }
  // Sixteen statements are sent at least: each of them that is looked at killed a worker.
  expect(deaths).toBeGreaterThanOrEqual(Math.floor((15 - seed) / STRIDE) + 1);
  await appendForAll();

  const { pool, url: connectionString } = database;
  const { store } = log;
  const worker = startProjections({
    ...{ store, pool, connectionString, retryLeadMs: 20, processes: [outboxProcess] },
  });
  const readSide = createReadSide({ pool, connectionString, store, projections: followers });
  const names = followers.map(({ name }) => name);
  expect(await readSide.waitFor(names, await store.head(), 30_000)).toBe('caught-up');
  const { rows } = await pool.query('select count(*)::int as messages from state.outbox');
  // Of each job: two alerts, the next channel, the receipt and word of the answer.
  expect(rows[0]).toEqual({ messages: 5 * jobs });
  for (const projection of projections) {
    expect(await verify({ store, pool, connectionString, log: silentLog }, projection)).toMatchObject({
      differences: [],
    });
  }
  await worker.stop();
  await readSide.close();
}, 600_000);
