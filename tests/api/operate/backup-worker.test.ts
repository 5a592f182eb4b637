import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createBackup } from '#api/backup/back-up.ts';
import { listManifests, manifestVerifier, readManifest } from '#api/backup/manifest.ts';
import { objectReader } from '#api/backup/objects.ts';
import { startBackups, takeBackup } from '#api/backup/scheduled.ts';
import { backupGauges } from '#api/http/health/readiness.ts';
import { type BackupTarget, folderTarget, s3Target } from '#api/providers/backup-target.ts';
import { type BackupStage, logKey, openBackupStage } from '#tests/support/log/running-log.ts';
import { s3Server } from '#tests/support/servers/providers.ts';

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
    open: async () => ({ sources: { ...stage.sources, target }, close: async () => {} }),
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
    await expect.poll(parts).toEqual([expect.stringMatching(reason), 'files', 'keys', 'log', 'state'].sort());
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
