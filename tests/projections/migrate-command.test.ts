import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { runUte } from '#tests/support/processes/processes.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

test('migrate runs what is missing, by the address of the owner alone, and then nothing', async () => {
  const name = `bare_${randomBytes(6).toString('hex')}`;
  await database.admin.query(`create database ${name} owner ute_owner`);
  const address = Object.assign(new URL(database.ownerUrl), { pathname: `/${name}` }).href;
  try {
    const first = await runUte({ MIGRATION_DATABASE_URL: address }, 'migrate');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^applied 0001-event-store\.sql\n/);
    expect(await runUte({ MIGRATION_DATABASE_URL: address }, 'migrate')).toEqual({
      ...{ code: 0, err: '', out: 'nothing is missing\n' },
    });
  } finally {
    await database.admin.query(`drop database ${name} with (force)`);
  }
});

test.each([
  ['no address', '', 'Configuration: MIGRATION_DATABASE_URL must be a postgres:// address.\n'],
  [
    'where nothing answers',
    'postgres://ute_owner:spanner@localhost:1/ute',
    'Configuration: MIGRATION_DATABASE_URL cannot be used (ECONNREFUSED).\n',
  ],
])('%s is refused in a line', async (_, address, line) => {
  const { code, out, err } = await runUte({ MIGRATION_DATABASE_URL: address }, 'migrate');
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: line });
});
