import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetting } from '#api/http/forget-expired.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { usedPlan } from '#tests/bench/used-plan.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const now = new Date('2026-11-24T00:00:00.000Z');

test('of many rows none of which has expired, it reads next to none', async () => {
  await database.pool.query(
    `insert into state.answer_links (token_hash, kind, business_id, job_id, expires_at)
     select sha256(n::text::bytea), 'answer', 'b1', 'j' || n, $1::timestamptz + (1 + n * 7919 % 50000) * interval '1 minute'
     from generate_series(1, 50000) as n`,
    [now],
  );
  await database.admin.query('vacuum (analyze) state.answer_links');
  const statement = plannedOnce(`with ${forgetting('state.answer_links', '$1')} select 1`, [
    now.toISOString(),
  ]);
  const { lines } = await usedPlan(database.pool, statement, statement);
  const [, hit, read = '0'] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(lines.join('\n')) ?? [];
  expect(Number(hit) + Number(read), lines.join('\n')).toBeLessThan(20);
});

test('what has expired goes a few rows at a time, the oldest first, and the rest stays', async () => {
  await database.pool.query('delete from state.answer_links');
  await database.pool.query(
    `insert into state.answer_links (token_hash, kind, business_id, job_id, expires_at)
     select sha256(n::text::bytea), 'answer', 'b1', 'j' || n, $1::timestamptz + (n - 30) * interval '1 second'
     from generate_series(1, 40) as n`,
    [now],
  );
  const left = async () => {
    await database.pool.query(`with ${forgetting('state.answer_links', '$1')} select 1`, [now]);
    const { rows } = await database.pool.query<{ n: number; first: string }>(
      `select count(*)::int as n, min(expires_at) as first from state.answer_links`,
    );
    return rows[0]?.n;
  };
  expect(await left()).toBe(20);
  expect(await left()).toBe(10);
  expect(await left()).toBe(10);
});

test('every table of short memory has an index by which the expired rows are found', async () => {
  const { rows } = await database.admin.query<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'state'::regnamespace and c.relkind = 'r' and a.attname = 'expires_at'
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum)`,
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});
