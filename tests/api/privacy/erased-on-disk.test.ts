import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testPool } from '#tests/support/app/database.ts';
import { erasing, forgetCustomers } from '#tests/support/scenarios/erasing.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

const marker = 'Wilhelmina Onadisk';
let api: TestApp;
let acme: SignedIn;
let admin: ReturnType<typeof testPool>;
beforeAll(async () => {
  api = await testApp({ processes: true });
  acme = await api.signIn();
  const url = new URL(inject('database').adminUrl);
  url.pathname = new URL(api.databaseUrl).pathname;
  admin = testPool(url.href, 1);
});
afterAll(async () => {
  await admin?.end();
  await api?.close();
});

/** The tables and indexes of a schema whose file on the disk has the marker in the clear. */
async function filesWithMarker(schema: string): Promise<string[]> {
  await admin.query('checkpoint');
  const { rows } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_catalog.pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'i') and pg_relation_filepath(c.oid) is not null
       and position($2::bytea in pg_read_binary_file(pg_relation_filepath(c.oid))) > 0 order by 1`,
    [schema, Buffer.from(marker)],
  );
  return rows.map(({ name }) => name);
}

test('an erased customer stays in free space of the files of read models until these are built anew', async () => {
  const jobId = await requestedJob(api, acme, { name: marker });
  await api.settle();
  const holding = await filesWithMarker('read');
  expect(holding.some((name) => /^jobs(_|$)/.test(name))).toBe(true);
  // The log has it sealed, and what the product remembers of a job has no name.
  expect([...(await filesWithMarker('event_store')), ...(await filesWithMarker('state'))]).toEqual([]);

  await forgetCustomers(erasing(api).deps, acme, [jobId]);
  await api.settle();
  expect((await filesWithMarker('read')).length).toBeGreaterThan(0);

  const { store } = api.deps;
  const { everyRow: pool, databaseUrl: connectionString } = api;
  await rebuild({ store, pool, connectionString, log: silentLog }, jobsProjection);
  expect(await filesWithMarker('read')).toEqual([]);
}, 120_000);
