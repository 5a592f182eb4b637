import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { auditLog } from '#core/event-store/chain.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { projections } from '#projections/runtime/registry.ts';
import { testDatabase } from '#tests/support/app/database.ts';
import { runningLog } from './running-log.ts';

/** A whole log as an earlier release stored it: its events, and the wrapped keys of its subjects in base64. */
export type GoldenLog = Readonly<{ keys: object; events: readonly unknown[] }>;

/** The key that wraps those of golden logs: of invented people, so it may be known. */
const dataKey = createHash('sha256').update('golden log').digest();

/** Restores a golden log into a database of its own. `close` drops the database. */
export async function openGoldenLog({ keys, events }: GoldenLog) {
  const database = await testDatabase();
  const { pool, url } = database;
  await pool.query(
    `insert into state.subject_keys (subject, wrapped_key)
     select key, decode(value, 'base64') from jsonb_each_text($1::jsonb)`,
    [JSON.stringify(keys)],
  );
  await pool.query(
    `insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
     select position, stream, revision, id, type, schema, at, data, metadata
     from jsonb_to_recordset($1::jsonb) as e(position bigint, stream text, revision integer, id uuid, type text,
       schema integer, at timestamptz, data jsonb, metadata jsonb)`,
    [JSON.stringify(events)],
  );
  const log = runningLog(database, dataKey);
  const system = { store: log.store, pool, connectionString: url, log: silentLog };
  return {
    events: events as readonly RawEvent[],
    pool,
    store: log.store,
    /** What the chains of all streams show. */
    async audit() {
      const raw = openEmbeddedLog({ pool, connectionString: url });
      try {
        return await auditLog(raw, { gapless: true, signal: new AbortController().signal, onProgress() {} });
      } finally {
        await raw.close();
      }
    },
    /** Rebuilds every projection, then follows the log event by event. Answers the rows of both, and what verifying finds. */
    async readBothWays() {
      for (const projection of projections) await rebuild(system, projection);
      const rebuilt = await dumpReadModels(pool);
      await clearReadModels(pool);
      await pool.query(
        'insert into read.checkpoints select name, version, 0 from unnest($1::text[], $2::int[]) as p(name, version)',
        [projections.map(({ name }) => name), projections.map(({ version }) => version)],
      );
      await bringUpToDate(system, projections);
      const followed = await dumpReadModels(pool);
      const differences = [];
      for (const projection of projections)
        differences.push(...(await verify(system, projection)).differences);
      return { rebuilt, followed, differences };
    },
    /** Destroys a subject's key; answers a store that has not seen it before. `close` ends that store. */
    async erase(subject: string) {
      await createSubjectKeys({ pool, dataKey }).destroy(subject);
      return runningLog(database, dataKey);
    },
    async close() {
      await log.close();
      await database.close();
    },
  };
}

/** Each table of each read model with the name that its present version goes by, quoted, with schema. */
const readModelTables = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => ({ table: name, live: liveBuild(projection).table(name) })),
);

/** Every row of every read model, generated columns included, in a fixed order. */
export async function dumpReadModels(pool: Pool): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const { table, live } of readModelTables) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from ${live} as t order by to_jsonb(t)::text collate "C"`,
    );
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** Empties the read models, checkpoints and all. */
export async function clearReadModels(pool: Pool): Promise<void> {
  const tables = [...readModelTables.map(({ live }) => live), 'read.checkpoints', 'read.projection_parked'];
  await pool.query(tables.map((table) => `delete from ${table}`).join('; '));
}
