import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBackup } from '#api/backup/back-up.ts';
import { readFileList } from '#api/backup/files-part.ts';
import { eventsOf } from '#api/backup/log-part.ts';
import type { Manifest } from '#api/backup/manifest.ts';
import { leftOut, listTables, tableOfLine } from '#api/backup/state-part.ts';
import { removeOld } from '#api/backup/upkeep.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { type BackupStage, openBackupStage } from '#tests/support/log/running-log.ts';

const never = new AbortController().signal;
let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage?.close());

async function eventsIn({ log }: Manifest) {
  const lines = await Promise.all(log.segments.map((segment) => stage.reader.lines(segment)));
  return eventsOf(lines.flat());
}

describe('the log', () => {
  test('is written in segments as it is stored, with the root of its tree', async () => {
    await stage.seed(30);
    const { manifest } = await stage.backup.run();
    const stored = await stage.sources.log.readAll('0', 100);
    expect(await eventsIn(manifest)).toEqual(stored);
    const { roots } = await rootsAt(stage.sources.log, [30], { signal: never });
    expect([manifest.log.size, manifest.log.root]).toEqual([
      30,
      Buffer.from(roots.get(30) ?? []).toString('base64'),
    ]);
  });

  test('a backup of nothing new writes nothing', async () => {
    await stage.seed(3);
    const first = await stage.backup.run();
    const before = await stage.target.list('');
    stage.pass(1);
    expect(await stage.backup.run()).toEqual({
      ...{ manifest: first.manifest, isNew: false, verified: null },
    });
    expect(await stage.target.list('')).toEqual(before);
  });

  test('what is new is added, and many small segments become one; another process goes on as well', async () => {
    const segments: number[] = [];
    for (let n = 1; n <= 63; n += 1) {
      await stage.seed(2);
      stage.pass(1);
      const backup = n % 7 === 0 ? createBackup(stage.sources) : stage.backup;
      segments.push((await backup.run()).manifest.log.segments.length);
    }
    expect([...segments.slice(0, 3), ...segments.slice(-4)]).toEqual([1, 2, 3, 60, 1, 2, 3]);
    const [newest] = [await createBackup(stage.sources).run()];
    expect(await eventsIn(newest.manifest)).toEqual(await stage.sources.log.readAll('0', 1_000));
    const { roots } = await rootsAt(stage.sources.log, [126], { signal: never });
    expect(newest.manifest.log.root).toBe(Buffer.from(roots.get(126) ?? []).toString('base64'));
  }, 60_000);

  test('a log that was restored from a copy begins a line of its own', async () => {
    await stage.seed(10);
    const { manifest: before } = await stage.backup.run();
    await stage.database.admin.query(`
      begin;
      set local session_replication_role = 'replica';
      delete from event_store.events where pos > 4;
      commit`);
    stage.pass(1);
    const { manifest } = await stage.backup.run();
    expect([before.log.line, manifest.log.line, manifest.log.size]).toEqual([1, 2, 4]);
    expect(await eventsIn(manifest)).toHaveLength(4);
    expect(await eventsIn(before)).toHaveLength(10);
  });
});

describe('the keys', () => {
  test('open every event of the log, changes follow, and a day later all are written again', async () => {
    await stage.seed(2);
    const { manifest: first } = await stage.backup.run();
    await stage.seed(2);
    stage.pass(1);
    const { manifest: second } = await stage.backup.run();
    const lines = await Promise.all(
      [...second.keys.full, ...second.keys.changes].map((object) => stage.reader.lines(object)),
    );
    const subjects = new Set(lines.flat().map((line) => JSON.parse(line).subject));
    const { rows } = await stage.database.pool.query('select subject from state.subject_keys');
    expect([...subjects].sort()).toEqual(rows.map(({ subject }) => subject).sort());
    expect(second.keys.full).toEqual(first.keys.full);
    expect(second.keys.changes).toHaveLength(1);
  });

  test('a destroyed key is a change', async () => {
    const stream = await stage.seed(1);
    await stage.backup.run();
    await stage.database.pool.query('update state.subject_keys set wrapped_key = null, destroyed_at = now()');
    stage.pass(1);
    const { manifest } = await stage.backup.run();
    const [change] = manifest.keys.changes;
    if (!change) throw new Error('no change');
    const lines = (await stage.reader.lines(change)).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ subject: `customer-${stream.slice('job-'.length)}`, key: null }]);
  });
});

describe('the state', () => {
  test('has every table but those that are named with a reason, as the catalogue has them', async () => {
    const { rows } = await stage.database.admin.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const all = rows.map(({ name }) => name);
    const backedUp = (await listTables(stage.database.pool)).map(({ table }) => table);
    // The log is a part of its own; read models are built from it; migrations are applied by the restore.
    const others = all.filter((name) => /^(event_store\.events$|read\.|migrations\.applied$)/.test(name));
    expect([...backedUp, ...Object.keys(leftOut), ...others].sort()).toEqual(all.sort());
  });

  test('is written again after a quarter of an hour', async () => {
    const { pool } = stage.database;
    await stage.backup.run();
    await pool.query(
      `insert into state.reservations (kind, key, owner, status) values ('email', '\\x00ff', gen_random_uuid(), 'kept')`,
    );
    stage.pass(1);
    expect((await stage.backup.run()).isNew).toBe(false);
    // The age of the state is that of the database, and this clock is the test's.
    stage.pass(60 * 24 * 365 * 10);
    const { manifest } = await stage.backup.run();
    const lines = (await Promise.all(manifest.state.objects.map((one) => stage.reader.lines(one)))).flat();
    const kept = lines.filter((line) => tableOfLine(line) === 'state.reservations');
    expect(kept.map((line) => JSON.parse(line)[1])).toMatchObject([{ kind: 'email', key: '\\x00ff' }]);
  });
});

describe('files', () => {
  const id = 'a'.repeat(32);
  const record = () =>
    stage.database.pool.query(
      `insert into state.files (id, business_id, kind, name, mime, bytes, created_at)
       values ($1, 'b1', 'media', 'leak.jpg', 'image/jpeg', 3, now())`,
      [id],
    );

  test('are written once, after their bytes came, and removed with the file', async () => {
    await record();
    const { manifest: before } = await stage.backup.run();
    expect(before.files.count).toBe(0);
    await stage.sources.files.put(`media/${id}`, new Uint8Array([1, 2, 3]), 'image/jpeg');
    stage.pass(1);
    const { manifest } = await stage.backup.run();
    const [file] = await readFileList(stage.target, manifest.files);
    if (!file) throw new Error('no file');
    expect([...(await stage.reader.sealed(file))]).toEqual([1, 2, 3]);
    await stage.database.pool.query('delete from state.files');
    stage.pass(1);
    expect((await stage.backup.run()).manifest.files.count).toBe(0);
    expect(await stage.target.get(file.name)).toBeNull();
  });

  test('are written again once they are sealed under another key, and the object from before goes only after that', async () => {
    await record();
    await stage.sources.files.put(`media/${id}`, new Uint8Array([1]), 'image/jpeg');
    const listed = async () => readFileList(stage.target, (await stage.backup.run()).manifest.files);
    stage.pass(1);
    const [clear] = await listed();
    await stage.sources.files.put(`media/${id}`, new Uint8Array([2]), 'image/jpeg');
    await stage.database.pool.query(`update state.files set sealed_for = 'customer-1'`);
    stage.pass(1);
    const [sealed] = await listed();
    if (!clear || !sealed) throw new Error('no file');
    expect([...(await stage.reader.sealed(sealed))]).toEqual([2]);
    expect(await stage.target.get(clear.name)).not.toBeNull();
    stage.pass(1);
    expect(await listed()).toEqual([{ ...sealed, replaces: undefined }]);
    expect([await stage.target.get(clear.name), (await stage.backup.run()).isNew]).toEqual([null, false]);
    await stage.database.pool.query('delete from state.files');
    stage.pass(1);
    await stage.backup.run();
    expect(await stage.target.get(sealed.name)).toBeNull();
  });
});

describe('the top of the target', () => {
  test('has the newest ledger, which never loses a line', async () => {
    writeFileSync(stage.sources.ledger, 'one\n');
    await stage.backup.run();
    writeFileSync(stage.sources.ledger, 'one\ntwo\n');
    await stage.backup.run();
    expect(Buffer.from((await stage.target.get('erasures.log')) ?? []).toString()).toBe('one\ntwo\n');
    writeFileSync(stage.sources.ledger, 'three\n');
    await expect(stage.backup.run()).rejects.toThrow(/has lines that ERASURES_TO lacks/);
    expect(Buffer.from((await stage.target.get('erasures.log')) ?? []).toString()).toBe('one\ntwo\n');
  });
});

test('nothing in the target can be read without the identity', async () => {
  await stage.seed(3);
  await stage.backup.run();
  for (const name of await stage.target.list('')) {
    const text = Buffer.from((await stage.target.get(name)) ?? []).toString('latin1');
    expect(
      name.endsWith('.age') ? text.startsWith('age-encryption.org/v1\n') : !text.includes('note 1'),
    ).toBe(true);
  }
});

test('old keys, state, small segments and manifests go, and what the newest names stays', async () => {
  await stage.seed(1);
  stage.pass(60 * 24 * 40);
  const { manifest } = await stage.backup.run();
  const newest = await stage.target.list('');
  const stale = [
    'file-lists/20261101T000000000Z.json.zst',
    'keys/20261220T000000000Z-full-0.ndjson.zst.age',
    'log/1/pieces/20261101T000000000Z-000000000000-000000000000.ndjson.zst.age',
    'manifest/0000000000-20261201T000000000Z.json',
    'manifest/0000000000-20261230T100000000Z.json',
    'state/20261201T000000000Z-0.ndjson.zst.age',
  ];
  const young = [
    'keys/20261229T000000000Z-full-0.ndjson.zst.age',
    'log/1/000000000000-000000019999.ndjson.zst.age',
    'manifest/0000000000-20261230T101500000Z.json',
    'state/20261229T000000000Z-0.ndjson.zst.age',
  ];
  for (const name of [...stale, ...young]) await stage.target.put(name, new Uint8Array([1]));
  await removeOld(stage.target, manifest, new Date('2027-01-02T00:00:00.000Z'));
  expect(await stage.target.list('')).toEqual([...newest, ...young].sort());
});

describe('a backup that failed', () => {
  /** The target, but that objects whose names begin so are not taken. */
  const without = (beginning: string) => ({
    ...stage.target,
    put: async (name: string, bytes: Uint8Array) => {
      if (name.startsWith(beginning)) throw new OutageError('full');
      await stage.target.put(name, bytes);
    },
  });

  test('is none: the next one has its keys and its files', async () => {
    await stage.seed(1);
    await stage.backup.run();
    let failing = false;
    const target = {
      ...stage.target,
      put: (name: string, bytes: Uint8Array) =>
        (failing ? without('manifest/') : stage.target).put(name, bytes),
    };
    const backup = createBackup({ ...stage.sources, target });
    await backup.run();
    await stage.seed(1);
    await stage.database.pool.query(
      `insert into state.files (id, business_id, kind, name, mime, bytes, created_at)
       values ($1, 'b1', 'media', 'leak.jpg', 'image/jpeg', 3, now())`,
      ['b'.repeat(32)],
    );
    await stage.sources.files.put(`media/${'b'.repeat(32)}`, new Uint8Array([1]), 'image/jpeg');
    failing = true;
    stage.pass(1);
    await expect(backup.run()).rejects.toThrow(OutageError);
    failing = false;
    stage.pass(1);
    const { manifest } = await backup.run();
    const objects = [...manifest.keys.full, ...manifest.keys.changes];
    const lines = (await Promise.all(objects.map((object) => stage.reader.lines(object)))).flat();
    expect(new Set(lines.map((line) => JSON.parse(line).subject)).size).toBe(2);
    const [file] = await readFileList(stage.target, manifest.files);
    expect(file && [...(await stage.reader.sealed(file))]).toEqual([1]);
  });

  test('in removing what is old removes it with the next', async () => {
    stage.pass(60 * 24 * 40);
    const stale = 'keys/20261101T000000000Z-full-0.ndjson.zst.age';
    await stage.target.put(stale, new Uint8Array([1]));
    let failing = true;
    const remove = (name: string) =>
      failing ? Promise.reject(new OutageError('hangs')) : stage.target.remove(name);
    const backup = createBackup({ ...stage.sources, target: { ...stage.target, remove } });
    await expect(backup.run()).rejects.toThrow(OutageError);
    failing = false;
    await backup.run();
    expect(await stage.target.get(stale)).toBeNull();
  });
});
