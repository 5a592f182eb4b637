import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog, auditStream } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore, createEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { createQuery } from '#core/event-store/query.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { cause, newJobStream, notes } from './samples.ts';

let database: TestDatabase;
let store: ReturnType<typeof createEmbeddedEventStore>;
beforeAll(async () => {
  database = await testDatabase();
  store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey: randomBytes(32) });
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

const signal = new AbortController().signal;

/** What an audit says while `sql` has been run by a person with the database's own powers; it is undone afterwards. */
async function auditAfter(...sql: string[]) {
  const client = await database.admin.connect();
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    for (const statement of sql) await client.query(statement);
    const log = createEmbeddedLog(createQuery(client as unknown as Pool), () => {});
    return await auditLog(log, { gapless: true, signal, onProgress() {} });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const [a, b] = [newJobStream(), newJobStream()];
const changed = (change: string, pos: number) => `update event_store.events set ${change} where pos = ${pos}`;
/** The first letter of a text, made another one. */
const letter = (text: string) => `case when ${text} like 'A%' then 'B' else 'A' end || substr(${text}, 2)`;

describe('an audit of twelve events of two streams in turn', () => {
  beforeAll(async () => {
    for (let n = 0; n < 6; n += 1) {
      for (const stream of [a, b]) {
        await store.append(stream, n === 0 ? 'no-stream' : n - 1, [notes(stream, n)], cause);
      }
    }
  });

  test('every hash fits while they are untouched', async () => {
    expect(await auditAfter()).toEqual({ checked: 12, broken: null });
    expect(await auditAfter(changed(`data = data`, 7))).toEqual({ checked: 12, broken: null });
  });

  test.each([
    [
      'sealed text',
      `data = jsonb_set(data, '{personal,ct}', to_jsonb(${letter("data->'personal'->>'ct'")}))`,
    ],
    ['open data', `data = jsonb_set(data, '{businessId}', '"b2"')`],
    ['actor', `meta = jsonb_set(meta, '{actor}', '"systen"')`],
    ['hash', `meta = jsonb_set(meta, '{hash}', to_jsonb(${letter("meta->>'hash'")}))`],
    ['time', `at = at + interval '1 ms'`],
    ['type', `type = 'JobNotesChangee'`],
    ['version', `schema = 2`],
    ['id', `id = overlay(id::text placing '0000' from 1)::uuid`],
    ['metadata, lost', `meta = 'null'`],
  ])('one byte of the %s is found where it stands', async (_, change) => {
    const report = await auditAfter(changed(change, 7));
    expect(report).toMatchObject({ checked: 6, broken: { position: '7', stream: a, revision: 3 } });
  });

  test('two events in the wrong order are found at the first', async () => {
    const swap = [changed('revision = 99', 5), changed('revision = 2', 7), changed('revision = 3', 5)];
    expect((await auditAfter(...swap)).broken).toMatchObject({
      position: '5',
      reason: 'revision 3 follows 1',
    });
  });

  test('an event given to another stream is found where it stands', async () => {
    const { broken } = await auditAfter(changed("stream = 'job-other', revision = 0", 12));
    expect(broken).toMatchObject({ position: '12', stream: 'job-other' });
  });

  test('an event that was taken out is found behind its place, be it the last of its stream', async () => {
    const taken = (pos: number) => auditAfter(`delete from event_store.events where pos = ${pos}`);
    expect((await taken(5)).broken).toMatchObject({
      position: '6',
      reason: 'position 5 is missing before it',
    });
    expect((await taken(11)).broken).toMatchObject({ position: '12' });
  });

  test('it is found as well when the others were moved up', async () => {
    const { broken } = await auditAfter(
      'delete from event_store.events where pos = 5',
      'update event_store.events set pos = pos + 1000 where pos > 5',
      'update event_store.events set pos = pos - 1001 where pos > 1000',
    );
    expect(broken).toMatchObject({ position: '6', stream: a, reason: 'revision 3 follows 1' });
  });

  test('events cut off the end of the log leave no trace in it: copies elsewhere must tell', async () => {
    const report = await auditAfter('delete from event_store.events where pos > 10');
    expect(report).toEqual({ checked: 10, broken: null });
  });

  test('the audit of one stream is about that one alone', async () => {
    const log = createEmbeddedLog(createQuery(database.pool), () => {});
    expect(await auditStream(log, b, { signal, onProgress() {} })).toEqual({ checked: 6, broken: null });
    expect(await auditStream(log, newJobStream(), { signal, onProgress() {} })).toEqual({
      checked: 0,
      broken: null,
    });
  });

  test('an audit that is interrupted says so, and what is appended meanwhile is left for the next', async () => {
    const log = createEmbeddedLog(createQuery(database.pool), () => {});
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('Interrupted'));
    await expect(auditLog(log, { gapless: true, signal: stop.signal, onProgress })).rejects.toThrow(
      'Interrupted',
    );
    const late = newJobStream();
    let appended: Promise<unknown> | undefined;
    const report = await auditLog(log, {
      ...{ gapless: true, signal },
      onProgress: () => {
        appended ??= store.append(late, 'no-stream', [notes(late, 0)], cause);
      },
    });
    await appended;
    expect(report).toEqual({ checked: 12, broken: null });
  });
});

test('events are neither changed nor deleted by accident, whichever login asks', async () => {
  const statements = ['delete from event_store.events', 'truncate event_store.events'];
  for (const sql of [...statements, "update event_store.events set type = 'x'"]) {
    await expect(database.admin.query(sql)).rejects.toThrow('events are never changed or deleted');
  }
});

test("the application's role appends and reads with select and insert alone, and can do no more", async () => {
  const role = `app_${randomBytes(6).toString('hex')}`;
  await database.admin.query(`
    create role ${role} login password 'pw';
    grant usage on schema event_store, state to ${role};
    grant select, insert on event_store.events to ${role};
    grant select, insert, update on state.subject_keys to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'pw';
  const pool = testPool(url.href, 2);
  const limited = createEmbeddedEventStore({ pool, connectionString: url.href, dataKey: randomBytes(32) });
  try {
    const stream = newJobStream();
    await limited.append(stream, 'no-stream', [notes(stream, 0)], cause);
    expect(await limited.readStream(stream)).toHaveLength(1);
    for (const sql of ['delete from event_store.events', "update event_store.events set type = 'x'"]) {
      await expect(pool.query(sql)).rejects.toThrow('permission denied');
    }
  } finally {
    await limited.close();
    await pool.end();
    await database.admin.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test('the same event at another place of the log is refused', async () => {
  const stream = newJobStream();
  const event = notes(stream, 0);
  await store.append(stream, 'no-stream', [event], cause);
  await expect(store.append(stream, 0, [event], cause)).rejects.toThrow(WrongExpectedRevisionError);
});

test('positions are counted without holes, refused appends included', async () => {
  const { rows } = await database.pool.query(
    'select count(*)::int as n, max(pos)::int as last from event_store.events',
  );
  expect(rows[0].n).toBe(rows[0].last);
});
