import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { migrate, readMigrations } from './run.ts';

let database: TestDatabase;
let folder: URL;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.admin.query('drop schema if exists migrations, shed cascade');
  folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'ute-migrations-'))}/`);
  await write('0001-shed.sql', 'create schema shed; create table shed.tools (name text primary key)');
  await write('0002-saw.sql', `insert into shed.tools values ('saw')`);
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFile(new URL(name, folder), sql);
const run = async () => migrate(database.ownerUrl, await readMigrations(folder));
const tools = async () =>
  (await database.admin.query('select name from shed.tools order by name')).rows.map((row) => row.name);

test('files are applied in order, once', async () => {
  expect(await run()).toEqual(['0001-shed.sql', '0002-saw.sql']);
  expect(await run()).toEqual([]);
  await write('0003-drill.sql', `insert into shed.tools values ('drill')`);
  expect(await run()).toEqual(['0003-drill.sql']);
  expect(await tools()).toEqual(['drill', 'saw']);
});

test('four runners at once apply each file once', async () => {
  const applied = await Promise.all([run(), run(), run(), run()]);
  expect(applied.flat().sort()).toEqual(['0001-shed.sql', '0002-saw.sql']);
  expect(await tools()).toEqual(['saw']);
});

test('a file that was edited after it was applied is refused in one line', async () => {
  await run();
  await write('0002-saw.sql', `insert into shed.tools values ('hacksaw')`);
  await expect(run()).rejects.toThrow(/^Migration 0002-saw\.sql was edited after it was applied\..*$/);
});

test('a database that is ahead of the code is refused', async () => {
  await run();
  await rm(new URL('0002-saw.sql', folder));
  await expect(run()).rejects.toThrow('0002-saw.sql, which this version of Ute does not know');
});

test('a database of before the first release is refused in one line, and nothing is changed', async () => {
  await run();
  await database.admin.query(
    "insert into migrations.applied (name, checksum) values ('0002-state.sql', 'another')",
  );
  await write('0003-drill.sql', `insert into shed.tools values ('drill')`);
  await expect(run()).rejects.toThrow(
    /^The database was made by a build before Ute 1\.0\.0, and cannot be brought over: start with an empty database, or an empty DATA_DIR\.$/,
  );
  expect(await tools()).toEqual(['saw']);
});

test('a number may be left out, and the file that has it is applied when it comes', async () => {
  await write('0004-drill.sql', `insert into shed.tools values ('drill')`);
  expect(await run()).toEqual(['0001-shed.sql', '0002-saw.sql', '0004-drill.sql']);
  await write('0003-file.sql', `insert into shed.tools values ('file')`);
  expect(await run()).toEqual(['0003-file.sql']);
  expect(await tools()).toEqual(['drill', 'file', 'saw']);
});

test('a number used twice and a name of another form are refused', async () => {
  await write('0002-again.sql', 'select 1');
  await expect(run()).rejects.toThrow('Migration 0002-saw.sql has the number of 0002-again.sql.');
  await rm(new URL('0002-again.sql', folder));
  await write('0003-Bad Name.sql', 'select 1');
  await expect(run()).rejects.toThrow('Migration 0003-Bad Name.sql must be named as 0001-what-it-does.sql.');
});

test('a file that fails leaves nothing of itself, and what came before stays', async () => {
  await write('0003-broken.sql', `insert into shed.tools values ('drill'); select nonsense`);
  await expect(run()).rejects.toThrow(
    /^Migration 0003-broken\.sql failed: column "nonsense" does not exist$/,
  );
  expect(await tools()).toEqual(['saw']);
});

test('a file marked no-transaction may do what Postgres refuses inside one', async () => {
  await write(
    '0003-index.sql',
    '-- no-transaction\ncreate index concurrently tools_lower on shed.tools (lower(name))',
  );
  expect(await run()).toContain('0003-index.sql');
});
