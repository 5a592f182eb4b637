import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reservationKey, slugReservation } from '#api/accounts/reservations.ts';
import { startUte } from '#api/main.ts';
import { ConfigError } from '#api/runtime/config/config.ts';
import { checkKeys } from '#api/runtime/key-fingerprints.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';

let database: TestDatabase;
const folder = tempFolder('keys');
const key = () => randomBytes(32);
const keys = { data: key(), token: key(), claim: key(), botCheck: key() };

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => database.pool.query('delete from state.key_fingerprints; delete from state.subject_keys'));
afterAll(async () => {
  await database?.close();
  folder.remove();
});

const check = (
  given: Partial<typeof keys> = {},
  environment: 'development' | 'production' = 'development',
) => {
  const installation = {
    keys: { ...keys, ...given },
    databaseUrl: 'postgres://ute:a-password@db.internal:5432/ute',
    dataDir: '.data',
    environment,
  };
  return checkKeys(database.pool, installation, (slug) => reservationKey(installation, 'slug', slug));
};
const noted = async () =>
  (await database.pool.query('select fingerprint from state.key_fingerprints order by variable')).rows.map(
    ({ fingerprint }) => fingerprint as Buffer,
  );

test('the keys of the first start are noted, and the same ones are right ever after', async () => {
  await check();
  const first = await noted();
  await check();
  expect(await noted()).toEqual(first);
  expect(first).toHaveLength(2);
});

test('what is noted is neither a key nor a plain hash of one', async () => {
  await check();
  const tells = [keys.data, keys.claim].flatMap((one) => [one, createHash('sha256').update(one).digest()]);
  for (const fingerprint of await noted()) expect(tells.some((one) => one.equals(fingerprint))).toBe(false);
});

test('other keys are refused in one line that names them, the database and what to restore, and no secret', async () => {
  await check();
  await expect(check({ data: key(), claim: key() })).rejects.toThrow(
    new ConfigError(
      'Configuration: DATA_KEY and CLAIM_KEY are not the keys that the database at db.internal:5432/ute was filled with, and nothing was changed: restore .data/secrets.json, which belongs to this database, or set DATA_KEY and CLAIM_KEY as before.',
    ),
  );
  await expect(check({ claim: key() }, 'production')).rejects.toThrow(
    /^Configuration: CLAIM_KEY is not the key .*: set CLAIM_KEY as before, from your copy of the keys\.$/,
  );
});

test('keys that only sign may change', async () => {
  await check();
  await check({ token: key(), botCheck: key() });
});

test('a database filled before fingerprints were noted takes the key that opens it, and no other', async () => {
  await createSubjectKeys({ pool: database.pool, dataKey: keys.data }).ensure(['customer-1']);
  await expect(check({ data: key() })).rejects.toThrow('DATA_KEY is not the key');
  expect(await noted()).toEqual([]);
  await check();
  expect(await noted()).toHaveLength(2);
});

test('a database filled before fingerprints were noted takes the key that finds the addresses of its forms, and no other', async () => {
  await database.pool.query(
    `insert into read.public_forms (business_id, slug, name, tagline, region, theme, intro, revision)
     values ('business-1', 'kiwi-solar', 'Kiwi Solar', '', 'au', '#1D1B1B', '', 0)`,
  );
  const { key: reserved, skeleton } = slugReservation({ keys }, 'kiwi-solar');
  await database.pool.query(
    `insert into state.reservations (kind, key, skeleton, owner, status)
     values ('slug', $1, $2, gen_random_uuid(), 'kept')`,
    [reserved, skeleton],
  );
  try {
    await expect(check({ claim: key() }, 'production')).rejects.toThrow(
      /^Configuration: CLAIM_KEY is not the key .*: set CLAIM_KEY as before/,
    );
    expect(await noted()).toEqual([]);
    await check();
    expect(await noted()).toHaveLength(2);
  } finally {
    await database.pool.query('delete from read.public_forms; delete from state.reservations');
  }
});

test('of two first starts at once with different keys one is refused', async () => {
  const outcomes = await Promise.allSettled([check(), check({ data: key() })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('without its secrets.json neither a command nor a start goes on', async () => {
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder.path };
  expect(await runUte(environment, 'outbox', 'list')).toMatchObject({ code: 0 });
  rmSync(join(folder.path, 'secrets.json'));
  const { err, code } = await runUte(environment, 'outbox', 'list');
  expect(err).toMatch(/^Configuration: DATA_KEY and CLAIM_KEY are not the keys .*\n$/);
  expect(err).toContain(`restore ${folder.path}/secrets.json`);
  expect(code).toBe(1);
  const start = startUte({ ...environment, NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: '0' });
  await expect(start).rejects.toThrow(`restore ${folder.path}/secrets.json`);
});
