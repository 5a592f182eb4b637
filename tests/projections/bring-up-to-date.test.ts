import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLockSession } from '#core/postgres/locks.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { projections } from '#projections/registry.ts';
import { keyOf, leadLock } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { aJob, brunswick, registration } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
let log: RunningLog;
beforeAll(async () => {
  database = await testDatabase();
  log = runningLog(database);
});
afterAll(async () => {
  await log.close();
  await database.close();
});

const system = () => ({
  ...{ store: log.store, pool: database.pool, connectionString: database.url, log: silentLog },
});

/** Where the checkpoints of projections but that of jobs stand. */
async function othersAt(): Promise<string[]> {
  const { rows } = await database.pool.query<{ position: string }>(
    `select distinct position from read.checkpoints where projection = any($1)`,
    [projections.filter(({ name }) => name !== 'jobs').map(keyOf)],
  );
  return rows.map(({ position }) => position);
}

test('a projection of another leader that no new event concerns is not waited for', async () => {
  for (const one of registration(brunswick)) await log.append(one);
  const begun = await bringUpToDate(system(), projections);
  // A leader that has come past the event in memory, and writes its position down some time.
  const leader = await openLockSession(database.url, 'leader');
  const others = projections.filter(({ name }) => name !== 'jobs').map((one) => leadLock(keyOf(one)));
  expect(await leader.take(others)).toEqual(others);
  const position = await log.append(aJob('one', brunswick).requested());
  expect(await bringUpToDate(system(), projections)).toBe(position);
  expect(await othersAt()).toEqual([begun]);
  await leader.close();
});
