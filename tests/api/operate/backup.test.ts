import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBackup } from '#api/backup/back-up.ts';
import { readFileList } from '#api/backup/files-part.ts';
import { eventsOf } from '#api/backup/log-part.ts';
import { listManifests, type Manifest, manifestVerifier, readManifest } from '#api/backup/manifest.ts';
import { objectReader } from '#api/backup/objects.ts';
import { startBackups, takeBackup } from '#api/backup/scheduled.ts';
import { leftOut, listTables, tableOfLine } from '#api/backup/state-part.ts';
import { removeOld } from '#api/backup/upkeep.ts';
import { backupGauges } from '#api/http/health/readiness.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { type BackupTarget, folderTarget, s3Target } from '#api/providers/backup-target.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { rootsAt } from '#projections/proof/roots.ts';
import {
  type BackupStage,
  backupKeys,
  logKey,
  openBackupStage,
} from '#tests/support/processes/backup-stage.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { s3Server } from '#tests/support/servers/s3-server.ts';

describe('backup', () => {
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
      await stage.database.pool.query(
        'update state.subject_keys set wrapped_key = null, destroyed_at = now()',
      );
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
});

describe('backup worker', () => {
  let stage: BackupStage;
  beforeEach(async () => {
    stage = await openBackupStage();
  });

  const bucket = {
    bucket: 'ute-backup',
    region: 'ap-southeast-2',
    accessKeyId: 'AKIA',
    secretAccessKey: 's',
  };
  const server = s3Server(bucket);
  afterAll(() => server.stop());
  let full = false;
  let running: ReturnType<typeof startBackups> | undefined;
  const logged: object[] = [];
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    server.fail(null);
    server.objects.clear();
    await stage?.close();
  });

  const start = (target: BackupTarget) => {
    logged.length = 0;
    const { pool, url: connectionString } = stage.database;
    const log = (entry: object) => void logged.push(entry);
    running = startBackups({
      ...{ pool, connectionString, everyMs: 10, logger: { info: log, warn: log } },
      lead: (stop, work) => work(stop),
      open: () => ({ sources: { ...stage.sources, target }, close: async () => {} }),
    });
  };
  const parts = async () => {
    const { rows } = await stage.database.pool.query('select part, reason from state.backups order by part');
    return rows.map(({ part, reason }) => (reason === null ? part : `${part}: ${reason}`));
  };
  const manifestsIn = async (target: BackupTarget) => {
    const names = await listManifests(target);
    return Promise.all(names.map((name) => readManifest(target, name, [manifestVerifier(logKey)])));
  };

  const inBucket = () =>
    s3Target({ bucket: bucket.bucket, prefix: '' }, { endpoint: server.url, ...bucket }, 200);
  const onDisk = () =>
    folderTarget(join(stage.folder, 'disk'), {
      async fill(file, bytes) {
        const isFull = full;
        await file.writeFile(isFull ? bytes.subarray(0, 10) : bytes);
        if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    });
  const failures = [
    [
      'answers 500',
      inBucket,
      () => server.fail('break'),
      () => server.fail(null),
      /^failed: the bucket .*refuses/,
    ],
    ['hangs', inBucket, () => server.fail('hang'), () => server.fail(null), /^failed: the bucket/],
    ['is full', onDisk, () => (full = true), () => (full = false), /^failed: the folder .* \(ENOSPC\)$/],
  ] as const;

  test.each(failures)(
    'the worker goes on with a target that %s, says so, and has no half backup in it',
    async (_, open, fail, heal, reason) => {
      const target = open();
      await stage.seed(2);
      start(target);
      await expect.poll(parts).toEqual(['files', 'keys', 'log', 'state']);
      fail();
      await stage.seed(2);
      await expect
        .poll(parts)
        .toEqual([expect.stringMatching(reason), 'files', 'keys', 'log', 'state'].sort());
      await expect.poll(() => logged.length).toBeGreaterThan(1);
      expect(logged[0]).toMatchObject({ event: 'backup-failed', failures: 1 });
      const gauges = backupGauges({ db: stage.database.pool, now: () => new Date(), newId: () => '' });
      const failing = gauges.find(({ name }) => name === 'ute_backup_failing_seconds');
      expect((await failing?.read())?.[0]?.value).toBeGreaterThan(0);
      await stage.seed(2);
      heal();
      await expect.poll(parts).toEqual(['files', 'keys', 'log', 'state']);
      await expect.poll(async () => (await manifestsIn(target)).at(-1)?.log.size).toBe(6);
      const reader = objectReader(target, stage.identity);
      for (const { log, keys, state } of await manifestsIn(target))
        for (const object of [...log.segments, ...keys.full, ...keys.changes, ...state.objects])
          await reader.lines(object);
    },
    30_000,
  );

  test('the worker stops at once while its target hangs', async () => {
    start(s3Target({ bucket: bucket.bucket, prefix: '' }, { endpoint: server.url, ...bucket }));
    server.fail('hang');
    await running?.stop();
    expect(await parts()).toEqual([]);
  });

  test('a backup by hand waits for that of the worker', async () => {
    const { pool, url: connectionString } = stage.database;
    await stage.seed(1);
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = createBackup({
      ...stage.sources,
      beforeStep: async (step) => {
        if (step !== 'manifest') return;
        begun.resolve();
        await held.promise;
      },
    });
    const options = { pool, connectionString, whole: true };
    const first = takeBackup({ ...options, backup: slow });
    await begun.promise;
    expect(await takeBackup({ ...options, backup: stage.backup })).toBeNull();
    held.resolve();
    expect((await first)?.manifest.n).toBe(1);
    stage.pass(1);
    expect((await takeBackup({ ...options, backup: stage.backup }))?.manifest.n).toBe(2);
  });
});

describe('restore command', () => {
  let stage: BackupStage;
  afterEach(() => stage?.close());

  const environment = () => ({
    ...{ DATABASE_URL: stage.database.url, DATA_DIR: stage.folder },
    DATA_KEY: backupKeys.data.toString('base64'),
    CLAIM_KEY: backupKeys.claim.toString('base64'),
    LOG_KEY: logKey.toString('base64'),
  });
  const target = () => join(stage.folder, 'target');
  const identityFile = () => join(stage.folder, 'identity.txt');
  const ute = (...words: string[]) => runUte(environment(), ...words);

  beforeEach(async () => {
    stage = await openBackupStage();
    writeFileSync(identityFile(), `# public key: ${stage.recipient}\n${stage.identity}\n`);
    const erased = { at: '2026-11-20T00:00:00.000Z', erasureId: 'e1', subject: 'customer-gone' };
    await fileLedger(stage.sources.ledger).append([erased]);
    await stage.seed(900);
    await stage.seed(900);
    const backedUp = await ute('backup', '--once', '--to', target(), '--recipient', stage.recipient);
    expect([backedUp.err, backedUp.code]).toEqual(['', 0]);
    expect(backedUp.out).toMatch(/^backup 1: 1800 events, \d+ tables of \S+, 0 files\n$/);
  });

  test('backup notes up to which moment each part reaches', async () => {
    const { rows } = await stage.database.pool.query(
      `select part, at > now() - interval '1 hour' as "isNew" from state.backups order by part`,
    );
    expect(rows).toEqual(['files', 'keys', 'log', 'state'].map((part) => ({ part, isNew: true })));
  });

  test('restore --verify restores into a database of its own and looks at all of it', async () => {
    const ran = await ute('restore', '--from', target(), '--identity', identityFile(), '--verify');
    expect([ran.err, ran.code]).toEqual(['', 0]);
    expect(ran.out).toContain('1800 events checked, every hash fits\n');
    expect(ran.out).toContain('read models are what the log says\njob: sealed fields open\n');
    expect(ran.out).toContain('1 erased, 0 of them with a key\n');
    expect(ran.out).toContain('Noted in the target: the worker reads it with its next state.\n');
    const verified = async () =>
      (await stage.database.pool.query(`select at from state.backups where part = 'verified'`)).rows.length;
    expect(await verified()).toBe(0);
    await ute('backup', '--once', '--to', target(), '--recipient', stage.recipient);
    expect(await verified()).toBe(1);
  }, 120_000);

  test('restore says in one line what is wrong, and ends with exit code 1', async () => {
    const refusal = async (more: Record<string, string>, ...words: string[]) => {
      const options = ['--from', target(), '--identity', identityFile(), ...words];
      const { err, code } = await runUte({ ...environment(), ...more }, 'restore', ...options);
      return [err, code];
    };
    const other = Buffer.from(Array.from({ length: 32 }, (_, n) => n * 7 + 1)).toString('base64');
    expect(await refusal({})).toEqual([
      'The database is not empty: restore into a new one, nothing was changed.\n',
      1,
    ]);
    expect(await refusal({ DATA_KEY: other })).toEqual(['DATA_KEY is not the one of this backup.\n', 1]);
    expect(await refusal({ LOG_KEY: other })).toEqual([
      expect.stringMatching(/^manifest\/\S+ is not signed by this LOG_KEY, or was changed since\.\n$/),
      1,
    ]);
    expect(await refusal({}, '--at', '5')).toEqual(['There is no backup of then.\n', 1]);
    const [manifest = ''] = await stage.target.list('manifest/');
    const file = join(target(), manifest);
    writeFileSync(file, readFileSync(file).subarray(0, 200));
    expect(await refusal({})).toEqual([`${manifest} is not a whole manifest.\n`, 1]);
  }, 120_000);
});
