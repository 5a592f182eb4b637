import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBusiness } from '#api/settings/load-business.ts';
import { businessDecider } from '#core/business/decider.ts';
import { auditLog } from '#core/event-store/audit.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { getPublicForm } from '#projections/public-form/read.ts';
import { silentLog } from '#projections/runtime/log.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { projections } from '#projections/runtime/registry.ts';
import goldenLog from '#tests/event-store/golden-logs/first-versions.json' with { type: 'json' };
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { clearReadModels, dumpReadModels } from '#tests/support/read-models.ts';
import { type RunningLog, runningLog } from '#tests/support/running-log.ts';

// A whole log as the release of 22 November 2026 stored it, the last one with addresses and areas in the clear: two
// businesses that registered, one that moved its address and got a job, and a draft that was left.
const events = goldenLog.events as unknown as readonly RawEvent[];
/** The key that wraps the log's own: of invented people, so it may be known. */
const dataKey = createHash('sha256').update('golden log').digest();

let database: TestDatabase;
let log: RunningLog;
beforeAll(async () => {
  database = await testDatabase();
  await restore(database.pool);
  log = runningLog(database, dataKey);
});
afterAll(async () => {
  await log?.close();
  await database?.close();
});

const system = () => ({
  ...{ store: log.store, pool: database.pool, connectionString: database.url, log: silentLog },
});
const businessOf = (slug: string) => {
  const found = events.findLast(({ data }) => data['slug'] === slug);
  return String(found?.data['businessId']);
};
const fenwickton = businessOf('fenwickton-plumbing');

async function audit() {
  const { pool, url: connectionString } = database;
  const raw = openEmbeddedLog({ pool, connectionString });
  try {
    return await auditLog(raw, { gapless: true, signal: new AbortController().signal, onProgress() {} });
  } finally {
    await raw.close();
  }
}

test('every event reads, and every hash fits', async () => {
  const read = await log.store.readAll('0', 1_000);
  expect(read.map(({ unreadable }) => unreadable)).toEqual(events.map(() => undefined));
  expect(new Set(read.map(({ schema }) => schema))).toEqual(new Set([1]));
  expect(await audit()).toEqual({ checked: events.length, broken: null });
});

test('what followed from it follows again, rebuilt or read event by event', async () => {
  for (const projection of projections) await rebuild(system(), projection);
  const rebuilt = await dumpReadModels(database.pool);
  await clearReadModels(database.pool);
  await database.pool.query(
    'insert into read.checkpoints select name, version, 0 from unnest($1::text[], $2::int[]) as p(name, version)',
    [projections.map(({ name }) => name), projections.map(({ version }) => version)],
  );
  await bringUpToDate(system(), projections);
  expect(await dumpReadModels(database.pool)).toEqual(rebuilt);
  for (const projection of projections) {
    expect(await verify(system(), projection)).toMatchObject({ differences: [] });
  }
  expect(await getPublicForm(database.pool, 'fenwickton-plumbing')).toMatchObject({
    businessId: fenwickton,
    form: { name: 'Fenwickton Plumbing', theme: '#5053AE', intro: 'Pipes since 1998' },
  });
  expect(await getPublicForm(database.pool, 'kowhai-cleaning')).not.toBeNull();
});

test('its businesses stand where they stood', async () => {
  expect(await loadBusiness(log, fenwickton)).toMatchObject({
    branding: { slug: 'fenwickton-plumbing', theme: '#5053AE' },
    coverage: { lat: -42.88, lng: 147.33, radius: 20_000 },
  });
});

test('they go on in versions of today, which hold the address under its key', async () => {
  const command = {
    type: 'BrandBusiness',
    at: '2026-11-23T00:00:00.000Z',
    data: { businessId: fenwickton, slug: 'fenwickton-drains' },
  } as const;
  const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' };
  await handleCommand(log.store, businessDecider, `business-${fenwickton}`, command, cause);
  const { rows } = await database.pool.query<{ schema: number; stored: string }>(
    'select schema, row_to_json(e)::text as stored from event_store.events e order by pos desc limit 1',
  );
  expect(rows[0]?.schema).toBe(2);
  expect(rows[0]?.stored).not.toContain('fenwickton');
  expect((await loadBusiness(log, fenwickton))?.branding?.slug).toBe('fenwickton-drains');
  expect(await audit()).toEqual({ checked: events.length + 1, broken: null });

  await createSubjectKeys({ pool: database.pool, dataKey }).destroy(`business-${fenwickton}`);
  const erased = runningLog(database, dataKey);
  expect((await loadBusiness(erased, fenwickton))?.branding?.slug).toBe('[erased]');
  await erased.close();
  expect(await audit()).toEqual({ checked: events.length + 1, broken: null });
});

async function restore(pool: Pool): Promise<void> {
  await pool.query(
    `insert into state.subject_keys (subject, wrapped_key)
     select key, decode(value, 'base64') from jsonb_each_text($1::jsonb)`,
    [JSON.stringify(goldenLog.keys)],
  );
  await pool.query(
    `insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
     select position, stream, revision, id, type, schema, at, data, metadata
     from jsonb_to_recordset($1::jsonb) as e(position bigint, stream text, revision integer, id uuid, type text,
       schema integer, at timestamptz, data jsonb, metadata jsonb)`,
    [JSON.stringify(events)],
  );
}
