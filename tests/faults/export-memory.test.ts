import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobTables } from '#projections/jobs/table.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';

const MB = 1024 * 1024;
const JOBS = everyFault ? 20_000 : 8_000;
/** In bytes: some 40 MB are usual, and 150 to 200 MB where the process does not collect what the pages leave. */
const MOST_GROWTH = 60 * MB;

const folder = tempFolder('export-memory');
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const { out, err, code } = await runUte(
    environment(),
    'seed',
    '--businesses',
    '2',
    '--jobs',
    '20',
    '--heavy',
    `${JOBS}`,
  );
  expect([code, code === 0 ? '' : out + err]).toEqual([0, '']);
}, 300_000);
afterAll(async () => {
  await database?.close();
  folder.remove();
});

/** Notes that each job had a receipt, and each business a mail a week for a year: what the records have anchors of. */
async function handOut(): Promise<void> {
  const { rows } = await database.admin.query<{ size: number }>(
    'select size::int as size from proof.progress',
  );
  const size = rows[0]?.size ?? 0;
  await database.admin.query(
    `insert into proof.handed_out (holder, epoch, size, at)
     select stream, 1, least(place + 5, $1::int - 1), now()
     from (select stream, revision, row_number() over (order by pos) as place from event_store.events) event
     where revision = 0 and stream like 'job-%'
     union select 'business-' || business_id, 1, week * $1::int / 53, now()
     from (select distinct business_id from ${jobTables.jobs}) business, generate_series(1, 52) week`,
    [size],
  );
}

const environment = () => ({ DATABASE_URL: database.url, DATA_DIR: folder.path });

test(`an export of ${JOBS} jobs and the records of those that are done takes less than 60 MB of memory`, async () => {
  const script = (name: string) => join(import.meta.dirname, '../support/processes', name);
  const env = { ...process.env, NODE_ENV: 'development', ...environment() };
  const signing = spawn(process.execPath, [script('proof-process.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(signing, 'exit');
  await once(signing.stdout, 'data');
  await handOut();
  const { stdout } = await promisify(execFile)(process.execPath, [script('export-process.ts')], { env });
  signing.kill();
  await ended;
  const { jobs, bytes, entries, growth, seconds, processor } = JSON.parse(stdout);
  const took = `${Math.round(seconds)} s, ${Math.round(processor)} s of processor`;
  console.info(
    `${jobs} jobs, ${entries} entries, ${Math.round(bytes / MB)} MiB, ${took}: ${Math.round(growth / MB)} MiB more`,
  );
  expect(jobs).toBe(JOBS);
  expect(entries).toBeGreaterThan(JOBS / 3);
  expect(bytes).toBeGreaterThan(10 * MB);
  expect(growth).toBeLessThan(MOST_GROWTH);
}, 300_000);
