import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { sideBuild } from '#projections/runtime/build.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type RunningLog, runningLog } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { aJob, brunswick, registration } from '#tests/support/scenarios/events.ts';

const names = projections.map(({ name }) => name);
const dataKey = randomBytes(32);

let database: TestDatabase;
let log: RunningLog;
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder('cli');
  database = await testDatabase();
  log = runningLog(database, dataKey);
  await log.append(...registration(brunswick), aJob('lygon', brunswick).requested());
  await project();
});
afterAll(async () => {
  await log.close();
  await database.close();
  folder.remove();
});

/** Lets a worker run until the read models are at the end of the log. */
async function project(): Promise<void> {
  const { pool, url: connectionString } = database;
  const worker = startProjections({ store: log.store, pool, connectionString });
  const readSide = createReadSide({ pool, connectionString, store: log.store });
  expect(await readSide.waitFor(names, await log.store.head(), 30_000)).toBe('caught-up');
  await worker.stop();
  await readSide.close();
}

const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

test('status shows every projection in plain lines', async () => {
  const { out, err, code } = await ute('projections', 'status');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(1 + names.length);
  expect(lines[1]).toMatch(new RegExp(`^jobs +v${jobsProjection.version} +live +7/7 +0 parked$`));
  expect(out).not.toContain('\u001b');
});

test('verify answers 0 for what the log says, and 1 for a row that was changed by hand', async () => {
  expect(await ute('projections', 'verify')).toMatchObject({ code: 0 });
  await database.pool.query(`update ${jobTables.jobs} set title = 'changed by hand'`);
  const { out, code } = await ute('projections', 'verify', 'jobs');
  expect(code).toBe(1);
  expect(out).toContain('jobs: DIFFERS at position 7: jobs has 1 row');
});

test('rebuild puts it right, for one projection and for all', async () => {
  const one = await ute('projections', 'rebuild', 'jobs', '--fast');
  expect(one.out).toMatch(/^jobs: rebuilt to position 7 in \d+\.\d s\n$/);
  expect(one.code).toBe(0);
  const all = await ute('projections', 'rebuild', 'all');
  expect(all.out.trimEnd().split('\n')).toHaveLength(names.length);
  expect(await ute('projections', 'verify')).toMatchObject({ code: 0 });
});

test('status answers 1 when events are parked', async () => {
  await log.appendUnreadable('job-lygon');
  await project();
  const { out, code } = await ute('projections', 'status');
  expect(out).toContain('1 parked');
  expect(code).toBe(1);
});

test('replay-parked names what still cannot be applied and answers 1, and 0 when nothing is parked', async () => {
  const { out, code } = await ute('projections', 'replay-parked');
  expect(code).toBe(1);
  expect(out).toContain('jobs: 0 applied, 1 still parked\n  8 job-lygon KettleBoiled: unknown type\n');
  expect(out).toContain('accounts: 0 applied, 0 still parked\n');
  expect(await ute('projections', 'replay-parked', 'accounts')).toMatchObject({ code: 0 });
});

test('prune drops what a killed rebuild left, and nothing that is live', async () => {
  expect(await ute('projections', 'prune')).toMatchObject({ code: 0 });
  expect(await ute('projections', 'prune')).toMatchObject({ code: 0, out: 'nothing to drop\n' });
  await database.pool.query(
    `create table ${sideBuild(jobsProjection, 'next').table('jobs')} (left_over text)`,
  );
  await database.pool.query(`insert into read.checkpoints values ('accounts__check', 1, 5)`);
  const { out, code } = await ute('projections', 'prune');
  expect({ out, code }).toEqual({
    out: `${sideBuild(jobsProjection, 'next').key}: dropped\naccounts__check: dropped\n`,
    code: 0,
  });
  expect((await ute('projections', 'status')).out).toMatch(
    new RegExp(`jobs +v${jobsProjection.version} +live`),
  );
});

test.each(['verify', 'replay-parked'])(
  'the help of %s says that all are taken where none is named',
  async (command) => {
    const { out, code } = await ute('projections', command, '--help');
    expect(out).toContain('(default: all)');
    expect(out).not.toContain('columns');
    expect(code).toBe(0);
  },
);

test.each([
  [['projections', 'rebuild', 'jbos'], 'There are jobs, accounts'],
  [['projections', 'rebuild'], 'missing required argument'],
  [['projections', 'staus'], 'unknown command'],
  [['projections', 'status', '--verbose'], 'unknown option'],
  [['projections', 'rebuild', 'all', '--fast', '--gentle'], 'cannot be used with'],
])('%j is refused with a line and exit code 1', async (words, line) => {
  const { err, code } = await ute(...words);
  expect(err).toContain(line);
  expect(code).toBe(1);
});
