import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountTables } from '#projections/accounts/table.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { sideBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { faultRounds } from '#tests/support/run/fault-rounds.ts';
import { aJob, brunswick, customers, ponsonby, registration } from '#tests/support/scenarios/events.ts';

const dataKey = randomBytes(32);
const names = projections.map(({ name }) => name);
/** Between two jobs, and between two looks: traffic leaves the rebuild some of the machine, as people do. */
const BREATH_MS = 20;
const script = new URL('../../api/cli.ts', import.meta.url).pathname;

let database: TestDatabase;
let log: RunningLog;
let folder: ReturnType<typeof tempFolder>;
let readSide: ReadSide;
let worker: ReturnType<typeof startProjections>;
let environment: Record<string, string>;
let jobs = 0;

beforeAll(async () => {
  folder = tempFolder('rebuild');
  database = await testDatabase();
  const { pool, url: connectionString } = database;
  log = runningLog(database, dataKey);
  environment = {
    DATABASE_URL: connectionString,
    DATA_DIR: folder.path,
    DATA_KEY: dataKey.toString('base64'),
  };
  readSide = createReadSide({ pool, connectionString, store: log.store });
  worker = startProjections({ store: log.store, pool, connectionString });
  await log.append(...registration(brunswick), ...registration(ponsonby));
  await appendJobs(300);
  await caughtUp();
});
afterAll(async () => {
  await worker.stop();
  await readSide.close();
  await log.close();
  await database.close();
  folder.remove();
});

async function appendJobs(amount: number): Promise<void> {
  for (let n = 0; n < amount; n++) {
    jobs++;
    const job = aJob(`job-${jobs}`, jobs % 3 ? brunswick : ponsonby, customers[jobs % customers.length]);
    await log.append(job.requested(), job.accepted(), job.moved('Quoted'));
  }
}

async function caughtUp(): Promise<void> {
  await vi.waitFor(
    async () => expect(await readSide.waitFor(names, await log.store.head(), 5_000)).toBe('caught-up'),
    { timeout: 60_000 },
  );
}

async function differences() {
  const deps = { store: log.store, pool: database.pool, connectionString: database.url, log: silentLog };
  const found = [];
  for (const projection of projections) found.push(...(await verify(deps, projection)).differences);
  return found;
}

async function sideTables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'read' and tablename like '%\\_\\_%'`,
  );
  return rows.map(({ tablename }) => tablename);
}

/** Reads a live table until the answer is called: so long no rebuild can put another in its place, and none ends. */
async function keepReading(): Promise<() => Promise<void>> {
  const reader = await database.pool.connect();
  await reader.query(`begin; lock table ${jobTables.jobs} in access share mode`);
  return async () => {
    await reader.query('rollback');
    reader.release();
  };
}

/** Starts a gentle rebuild of everything, and resolves when it has written some rows and is not done. */
async function startRebuild(): Promise<ChildProcess> {
  const child = spawn('bun', [script, 'projections', 'rebuild', 'all'], {
    env: { ...process.env, NODE_ENV: 'development', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        'select position from read.checkpoints where projection = $1 and position > 0',
        [sideBuild(jobsProjection, 'next').key],
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 60_000, interval: 5 },
  );
  return child;
}

/** Reads as the product does, all the time, and adds jobs meanwhile. `stop` answers what was seen. */
function traffic() {
  let isOver = false;
  const least = jobs;
  const reading = (async () => {
    let reads = 0;
    for (; !isOver; reads++) {
      const { rows } = await database.pool.query(
        `select (select count(*)::int from ${jobTables.jobs}) as cards, (select sum(n)::int from ${jobTables.counts}) as counted,
           (select count(*)::int from ${jobTables.details}) as details, (select count(*)::int from ${accountTables.accounts}) as accounts`,
      );
      const { cards, counted, details, accounts } = rows[0];
      expect(cards).toBeGreaterThanOrEqual(least);
      expect(counted).toBe(cards);
      expect(details).toBeGreaterThanOrEqual(least);
      expect(accounts).toBe(2);
      await setTimeout(BREATH_MS);
    }
    return reads;
  })();
  const writing = (async () => {
    while (!isOver) {
      await appendJobs(1);
      await setTimeout(BREATH_MS);
    }
  })();
  return async () => {
    isOver = true;
    const [reads] = await Promise.all([reading, writing]);
    return reads;
  };
}

test.each(Array.from({ length: faultRounds }, (_, round) => round + 1))(
  'a rebuild under traffic: killed in the middle it changes nothing, whole it is the fold (round %i)',
  async () => {
    const stopTraffic = traffic();
    try {
      const letGo = await keepReading();
      const doomed = await startRebuild();
      doomed.kill('SIGKILL');
      await once(doomed, 'exit');
      await letGo();
      expect(await sideTables()).not.toEqual([]);
      await caughtUp();
      expect(await differences()).toEqual([]);

      const rebuilt = await runUte(environment, 'projections', 'rebuild', 'all');
      expect(rebuilt.err).toContain('projections (gentle): ');
      expect(rebuilt.code).toBe(0);
    } finally {
      expect(await stopTraffic()).toBeGreaterThan(0);
    }
    await caughtUp();
    expect(await sideTables()).toEqual([]);
    expect(await differences()).toEqual([]);
  },
  300_000,
);

test('a rebuild that is interrupted leaves one line and nothing else', async () => {
  const letGo = await keepReading();
  const child = await startRebuild();
  child.kill('SIGINT');
  let said = '';
  for await (const chunk of child.stderr ?? []) said += chunk;
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1);
  await letGo();
  const lines = said
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\d+ projections/.test(line));
  expect(lines).toEqual(['Interrupted; nothing was changed.']);
  expect(await sideTables()).toEqual([]);
  expect(await differences()).toEqual([]);
});
