import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followerOf } from '#api/background/process.ts';
import { outbox } from '#api/rooms.ts';
import { lockClass } from '#core/postgres/locks.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { keyOf, leadLock } from '#projections/runtime/build.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { faultRounds } from '#tests/support/run/fault-rounds.ts';
import { aJob, at, brunswick, customers, ponsonby, registration } from '#tests/support/scenarios/events.ts';

/** Jobs that are appended between two kills. */
const MOST = 40;

const dataKey = randomBytes(32);
const outboxProcess = followerOf(outbox, { now: () => new Date(at) });
const followers = [...projections, outboxProcess];
const script = new URL('./projection-worker.ts', import.meta.url).pathname;
const folder = tempFolder('two-workers');

let database: TestDatabase;
let log: RunningLog;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database, dataKey);
  await openProcess({ pool: database.pool, store: log.store }, outboxProcess);
  await log.append(...registration(brunswick), ...registration(ponsonby));
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await log?.close();
  await database?.close();
  folder.remove();
});

function startWorker(): ChildProcess {
  const worker = spawn('bun', [script, database.url, dataKey.toString('base64')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  workers.push(worker);
  return worker;
}

/** Appends jobs of both businesses, one after the other, until it is stopped; answers how many there are. */
function appendJobs() {
  let isStopped = false;
  let jobs = 0;
  const running = (async () => {
    while (!isStopped) {
      jobs += 1;
      const owner = jobs % 2 ? brunswick : ponsonby;
      const job = aJob(`job-${jobs}`, owner, customers[jobs % customers.length]);
      await log.append(job.requested(), job.accepted(), job.moved('Quoted'));
    }
  })();
  return {
    count: () => jobs,
    async stop() {
      isStopped = true;
      await running;
      return jobs;
    },
  };
}

type Lead = Readonly<{ key: string; pid: number }>;

/** Who leads what, by the locks that sessions hold. */
async function leads(): Promise<Lead[]> {
  const keys = followers.map(keyOf);
  const { rows } = await database.pool.query<Lead>(
    `select k.key, l.pid from unnest($2::text[], $3::text[]) as k(key, lock)
     join pg_locks l on l.locktype = 'advisory' and l.granted and l.classid = $1::int::oid
       and l.objid = hashtext(k.lock)::oid and l.objsubid = 2
     join pg_database d on d.oid = l.database and d.datname = current_database()`,
    [lockClass, keys, keys.map(leadLock)],
  );
  return rows;
}

async function positions(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ projection: string; position: string }>(
    `select projection, position::text from read.checkpoints where projection = any($1)
     union all select process, position::text from state.process_positions where process = any($1) order by 1`,
    [followers.map(keyOf)],
  );
  return Object.fromEntries(rows.map(({ projection, position }) => [projection, position]));
}

test(`two workers on one log, killed in turns ${2 * faultRounds} times under load, lose nothing and double nothing`, async () => {
  let [next, other] = [startWorker(), startWorker()];
  const appending = appendJobs();
  for (let kill = 0; kill < 2 * faultRounds; kill += 1) {
    await vi.waitFor(async () => expect((await leads()).length).toBe(followers.length), { timeout: 30_000 });
    const before = appending.count();
    await vi.waitFor(() => expect(appending.count()).toBeGreaterThan(before + MOST), { timeout: 30_000 });
    next.kill('SIGKILL');
    await once(next, 'exit');
    const sessions = (await leads()).map(({ key }) => key);
    // However the locks stand at this moment, none is held twice.
    expect(new Set(sessions).size).toBe(sessions.length);
    [next, other] = [other, startWorker()];
  }
  const jobs = await appending.stop();
  const head = await log.store.head();
  const reached = async () => expect(Object.values(await positions())).toEqual(followers.map(() => head));
  await vi.waitFor(reached, { timeout: 30_000 });

  const { rows } = await database.pool.query(
    `select (select count(*)::int from ${jobTables.jobs}) as cards, (select sum(n)::int from ${jobTables.counts}) as counted,
       (select count(*)::int from ${jobTables.details}) as details,
       (select count(*)::int from ${jobTables.jobs} where status = 'Quoted') as quoted,
       (select count(*)::int from state.outbox) as messages,
       (select count(*)::int from read.projection_parked) + (select count(*)::int from state.process_parked) as parked`,
  );
  // Of each job: two alerts, the next channel, the receipt and word of the answer.
  expect(rows[0]).toEqual({
    ...{ cards: jobs, counted: jobs, details: jobs, quoted: jobs, messages: 5 * jobs, parked: 0 },
  });

  const environment = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' },
    DATA_KEY: dataKey.toString('base64'),
  };
  const verified = await runUte(environment, 'projections', 'verify');
  expect(verified, verified.err).toMatchObject({ code: 0 });
  expect(Object.values(await positions())).toEqual(followers.map(() => head));
});
