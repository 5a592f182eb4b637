import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';

let database: TestDatabase;
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder('seed');
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

const key = () => randomBytes(32).toString('hex');
const keys = { DATA_KEY: key(), TOKEN_KEY: key(), CLAIM_KEY: key(), BOT_CHECK_KEY: key(), LOG_KEY: key() };
const production = {
  ...{ NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://ute.example' },
  ...{ ALLOW_EMBEDDED: 'mail,sms,business-register', TRUSTED_PROXIES: '0' },
};

function ute(words: readonly string[], env: Record<string, string> = {}) {
  const here = { NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: folder.path };
  return runUte({ ...here, ...keys, ...env }, ...words);
}

test('seeds, says how to sign in, and leaves the read models as the log has them', async () => {
  const { out, err, code } = await ute(['seed', '--businesses', '2', '--jobs', '20', '--heavy', '5']);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(/^seeded 25 jobs \(\d+ events\) in \d+\.\d s$/m);
  expect(out).toMatch(/^sign in: \S+@\S+\.example {2}Seed-\S+$/m);
  expect(out).toContain('jobs: 25 of 25\n');
  expect(out).not.toContain('\u001b');
  expect(await ute(['projections', 'verify'])).toMatchObject({ code: 0 });
  expect(await ute(['audit', 'verify'])).toMatchObject({ code: 0 });
});

test.each([
  [['--businesses', '0'], {}, '--businesses goes from 1'],
  [['--jobs', 'many'], {}, 'are whole'],
  [['--as-of', 'yesterday'], {}, 'An instant'],
  [[], production, '--yes-really'],
  [[], { EVENTSTORE_URL: 'esdb://localhost:2113?tls=false' }, 'leave EVENTSTORE_URL out'],
])('seed %j in %j is refused with a line and exit code 1', async (words, env, line) => {
  const { out, err, code } = await ute(['seed', ...words], env);
  expect(err).toContain(line);
  expect({ out, code }).toEqual({ out: '', code: 1 });
});
