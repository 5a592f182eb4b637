import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followerOf } from '#api/background/process.ts';
import { outbox } from '#api/rooms.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, at, brunswick, customers, ponsonby, registration } from '#tests/support/scenarios/events.ts';

const dataKey = randomBytes(32);
const outboxProcess = followerOf(outbox, { now: () => new Date(at) });
const script = new URL('./projection-worker.ts', import.meta.url).pathname;

let database: TestDatabase;
let log: RunningLog;
let jobs = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database, dataKey);
  await openProcess({ pool: database.pool, store: log.store }, outboxProcess);
  await log.append(...registration(brunswick), ...registration(ponsonby));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await log.close();
  await database.close();
});

function startWorker(...fatal: string[]) {
  const child = spawn('bun', [script, database.url, dataKey.toString('base64'), ...fatal], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return { child, ended: once(child, 'exit') };
}

async function appendJobs(amount: number): Promise<void> {
  for (let n = 0; n < amount; n++) {
    jobs++;
    const job = aJob(`job-${jobs}`, jobs % 2 ? brunswick : ponsonby, customers[jobs % customers.length]);
    await log.append(job.requested(), job.accepted(), job.moved('Quoted'));
  }
}

async function checkpoint(): Promise<bigint> {
  const { rows } = await database.pool.query(
    'select coalesce(min(position), 0) as at from read.checkpoints where projection = $1',
    [keyOf(jobsProjection)],
  );
  return BigInt(rows[0].at);
}

async function hasPassed(position: bigint): Promise<void> {
  const check = async () => expect(await checkpoint()).toBeGreaterThan(position);
  await vi.waitFor(check, { timeout: 30_000, interval: 5 });
}

test('a worker killed twice, between batches and within one, loses no message and leaves read models that are right', async () => {
  const first = startWorker();
  await hasPassed(0n);
  const appending = appendJobs(150);
  await hasPassed(100n);
  first.child.kill('SIGKILL');
  await first.ended;
  await appending;
  // On a busy machine the worker may have followed all of them before it was killed.
  await appendJobs(1);
  const killedAt = await checkpoint();
  expect(killedAt).toBeLessThan(BigInt(await log.store.head()));

  const fatal = String(BigInt(await log.store.head()) - 10n);
  const second = startWorker(fatal);
  const [, signal] = await second.ended;
  expect(signal).toBe('SIGKILL');
  expect(await checkpoint()).toBeLessThan(BigInt(fatal));
  await appendJobs(10);

  const { pool, url: connectionString } = database;
  const worker = startProjections({
    ...{ store: log.store, pool, connectionString, retryLeadMs: 20, processes: [outboxProcess] },
  });
  const followers = [...projections, outboxProcess];
  const readSide = createReadSide({ pool, connectionString, store: log.store, projections: followers });
  const names = followers.map(({ name }) => name);
  expect(await readSide.waitFor(names, await log.store.head(), 30_000)).toBe('caught-up');

  const { rows } = await pool.query(
    `select (select count(*)::int from ${jobTables.jobs}) as cards, (select sum(n)::int from ${jobTables.counts}) as counted,
       (select count(*)::int from ${jobTables.details}) as details, (select count(*)::int from state.outbox) as messages`,
  );
  // Of each job: two alerts, the next channel, the receipt and word of the answer.
  expect(rows[0]).toEqual({ cards: jobs, counted: jobs, details: jobs, messages: 5 * jobs });
  const deps = { store: log.store, pool, connectionString, log: silentLog };
  for (const projection of projections) {
    expect(await verify(deps, projection)).toMatchObject({ differences: [] });
  }
  await worker.stop();
  await readSide.close();
});
