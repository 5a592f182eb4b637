import { afterAll, beforeAll, expect, test } from 'vitest';
import { version as accountsVersion } from '#projections/accounts/table.ts';
import { projections } from '#projections/registry.ts';
import { tableOf } from '#projections/runtime/build.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

/** Tables whose unique key leaves the business out, and why (core/decisions/066). */
const keyWithoutBusiness: Readonly<Record<string, string>> = {
  [tableOf({ version: accountsVersion }, 'accounts')]:
    'found by the account alone: only then is it known which business the session belongs to',
};

/** Tables of `read` that are no read models: how far each follower is, and what it set aside. */
const bookkeeping = ['checkpoints', 'projection_parked'];

const live = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => tableOf(projection, name)),
);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await createMissingTables(database.pool, projections);
});
afterAll(() => database?.close());

test('schema read has the tables that projections declare, and the positions', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p', 'm', 'v') and relnamespace = 'read'::regnamespace`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...live, ...bookkeeping].toSorted());
});

test.each(live)('each row of %s belongs to a business', async (table) => {
  const { rows } = await database.pool.query(
    `select format_type(atttypid, null) as type, attnotnull as "isRequired",
       (select collname from pg_collation where oid = attcollation) as collation
     from pg_attribute where attrelid = $1::regclass and attname = 'business_id'`,
    [`read.${table}`],
  );
  // Of one type and collation in all tables, so that rows of one business are found in all by one value.
  expect(rows).toEqual([{ type: 'text', isRequired: true, collation: 'C' }]);
});

test.each(live)('the unique keys of %s have the business, or a reason to have none', async (table) => {
  const { rows } = await database.pool.query<{ columns: string[]; isWhole: boolean }>(
    `select array(
         select attname::text from pg_attribute
         where attrelid = indrelid and attnum = any(indkey[0:indnkeyatts - 1])
       ) as columns, indpred is null and indexprs is null as "isWhole"
     from pg_index where indrelid = $1::regclass and indisunique`,
    [`read.${table}`],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ isWhole }) => isWhole)).toBe(true);
  const without = rows.filter(({ columns }) => !columns.includes('business_id'));
  expect(without.length > 0).toBe(table in keyWithoutBusiness);
});

test('a table that the list of exceptions names is there', () => {
  expect(live).toEqual(expect.arrayContaining(Object.keys(keyWithoutBusiness)));
});
