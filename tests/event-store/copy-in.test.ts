import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyIn, copyLine } from '#core/postgres/copy-in.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

const statement = 'copy read.copied (n, text) from stdin';
/** Several chunks, more than a socket accepts at a time. */
const many = Array.from({ length: 20_000 }, (_, n) => copyLine([n, `row ${n} `.repeat(20)]));

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table read.copied (n integer primary key, text text)');
});
afterAll(() => database.close());

const count = async (db: Pick<TestDatabase['pool'], 'query'>) =>
  (await db.query('select count(*)::int as n from read.copied')).rows[0].n;

test('every text comes back as it was, and null is NULL', async () => {
  const texts = ['', '\\N', 'a\tb', 'a\nb\r\nc', '\\', 'Hōne 🔧', '\\.', null];
  await inTransaction(database.pool, async (db) => {
    await copyIn(
      db,
      statement,
      texts.map((text, n) => copyLine([n, text])),
    );
    const { rows } = await db.query('select text from read.copied order by n');
    expect(rows.map(({ text }) => text)).toEqual(texts);
    await db.query('truncate read.copied');
  });
});

test('megabytes arrive whole, and no line at all is no row', async () => {
  await inTransaction(database.pool, async (db) => {
    await copyIn(db, statement, many);
    expect(await count(db)).toBe(many.length);
    await db.query('truncate read.copied');
    await copyIn(db, statement, []);
    expect(await count(db)).toBe(0);
  });
});

test.each([
  ['the first row', (lines: string[]) => [copyLine(['no number', 'x']), ...lines], '22P02'],
  ['the last row', (lines: string[]) => [...lines, copyLine([0, 'again'])], '23505'],
  [
    'NUL',
    (lines: string[]) => [...lines.slice(0, 9_000), copyLine([-1, '\0']), ...lines.slice(9_000)],
    '22021',
  ],
])(
  'a refusal of %s rejects with the server’s error, and the connection stays usable',
  async (_, lines, code) => {
    const db = await database.pool.connect();
    try {
      await expect(copyIn(db, statement, lines(many))).rejects.toMatchObject({ code });
      expect(await count(db)).toBe(0);
      await expect(copyIn(db, 'copy read.missing from stdin', many)).rejects.toMatchObject({ code: '42P01' });
      await copyIn(db, statement, many.slice(0, 10));
      expect(await count(db)).toBe(10);
      await db.query('truncate read.copied');
    } finally {
      db.release();
    }
  },
);

test('a connection that ends on the way rejects, and the next connection works', async () => {
  const db = await database.pool.connect();
  db.on('error', () => {});
  const { rows } = await db.query('select pg_backend_pid() as pid');
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table read.copied in access exclusive mode');
  const copying = copyIn(db, statement, many);
  const ended = expect(copying).rejects.toThrow();
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  db.release(true);
  await blocker.query('rollback');
  blocker.release();
  expect(await count(database.pool)).toBe(0);
});
