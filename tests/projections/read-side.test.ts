import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { jobTables } from '#projections/jobs/table.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, registration } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
let log: RunningLog;
let worker: ReturnType<typeof startProjections>;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
  worker = startProjections({ store: log.store, pool: database.pool, connectionString: database.url });
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
afterAll(async () => {
  await worker.stop();
  await log.close();
  await database.close();
});

/** A read side as another process would have it: nothing in common with the worker but the database. */
function elsewhere(): ReadSide {
  const pool = testPool(database.url);
  const readSide = createReadSide({ pool, connectionString: database.url, store: log.store });
  opened.push({ close: () => pool.end() }, readSide);
  return readSide;
}

async function listening(readSide: ReadSide): Promise<void> {
  await new Promise<void>((resolve) => {
    readSide.onGap(resolve);
  });
}

test('a writer finds its own write, in the worker’s process and in another', async () => {
  const here = createReadSide({ pool: database.pool, connectionString: database.url, store: log.store });
  opened.push(here);
  for (const [n, readSide] of [here, elsewhere()].entries()) {
    const position = await log.append(aJob(`own-${n}`, brunswick).requested());
    expect(await readSide.waitFor(['jobs', 'accounts'], position, 30_000)).toBe('caught-up');
    const { rows } = await database.pool.query(`select from ${jobTables.jobs} where job_id = $1`, [
      `own-${n}`,
    ]);
    expect(rows).toHaveLength(1);
  }
});

test('what does not concern a read model is passed without a write, for waiters in any process', async () => {
  const here = createReadSide({ pool: database.pool, connectionString: database.url, store: log.store });
  opened.push(here);
  await log.append(...registration(brunswick));
  for (const [n, readSide] of [here, elsewhere()].entries()) {
    const position = await log.append(aJob(`others-${n}`, brunswick).requested());
    expect(await readSide.waitFor(['accounts', 'public-form'], position, 30_000)).toBe('caught-up');
    const statuses = await readSide.status();
    expect(statuses.filter(({ name }) => ['accounts', 'public-form'].includes(name))).toEqual(
      ['accounts', 'public-form'].map((name) =>
        expect.objectContaining({ name, position, head: position, state: 'live' }),
      ),
    );
  }
  await worker.stop();
  const { rows } = await database.pool.query('select distinct position from read.checkpoints');
  expect(rows).toEqual([{ position: await log.store.head() }]);
  worker = startProjections({ store: log.store, pool: database.pool, connectionString: database.url });
});

test('a wait ends as behind after its time', async () => {
  const started = performance.now();
  expect(await elsewhere().waitFor(['accounts'], '999999999', 60)).toBe('behind');
  expect(performance.now() - started).toBeGreaterThan(50);
});

test('changes arrive with ids and kinds alone, in chunks where they are many', async () => {
  const readSide = elsewhere();
  await listening(readSide);
  const changes: object[] = [];
  const stop = readSide.onChange((change) => changes.push(change));
  await worker.stop();
  const jobs = Array.from({ length: 300 }, (_, n) => aJob(`many-${n}`, brunswick));
  for (const job of jobs) await log.append(job.requested());
  worker = startProjections({ store: log.store, pool: database.pool, connectionString: database.url });
  await vi.waitFor(() => expect(changes).toHaveLength(300), { timeout: 30_000 });
  expect(changes[0]).toEqual({
    businessId: brunswick.businessId,
    kind: 'job',
    id: expect.stringMatching(/^many-/),
    position: expect.stringMatching(/^\d+$/),
  });
  stop();
});

test('after its connection is cut it listens again, and says that it may have missed something', async () => {
  const readSide = elsewhere();
  await listening(readSide);
  const again = listening(readSide);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'ute listen read_model'`,
  );
  await again;
  const changed = new Promise((resolve) => readSide.onChange(({ id }) => id === 'after-cut' && resolve(id)));
  await log.append(aJob('after-cut', brunswick).requested());
  expect(await changed).toBe('after-cut');
});
