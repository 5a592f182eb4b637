import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';

const MB = 1024 * 1024;
const JOBS = 20_000;
/** In bytes: some 40 MB are usual, and 200 MB where the process does not collect what the pages leave. */
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
