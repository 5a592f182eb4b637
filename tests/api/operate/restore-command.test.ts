import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileLedger } from '#api/privacy/ledger.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type BackupStage, backupKeys, logKey, openBackupStage } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';

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
  expect(ran.out).toContain('into a database for the drill alone; ');
  expect(ran.out).not.toContain('everybody signs in again');
  expect(ran.out).toContain('read models are what the log says\njob: sealed fields open\n');
  expect(ran.out).toContain('1 erased, 0 of them with a key\n');
  expect(ran.out).toContain('Noted in the target: the worker reads it with its next state.\n');
  const verified = async () =>
    (await stage.database.pool.query(`select at from state.backups where part = 'verified'`)).rows.length;
  expect(await verified()).toBe(0);
  await ute('backup', '--once', '--to', target(), '--recipient', stage.recipient);
  expect(await verified()).toBe(1);
}, 120_000);

test('a drill of 20,000 events from before an erasure brings no one back whom it removed', async () => {
  const seeded = await ute('seed', '--businesses', '2', '--jobs', '20', '--heavy', '5000');
  expect([seeded.code, seeded.code === 0 ? '' : seeded.out + seeded.err]).toEqual([0, '']);
  const takeBackup = async () => {
    const { out } = await ute('backup', '--once', '--to', target(), '--recipient', stage.recipient);
    return Number(/^backup \d: (\d+) events/.exec(out)?.[1]);
  };
  const size = await takeBackup();
  expect(size).toBeGreaterThan(20_000);
  const { rows } = await stage.database.pool.query(`select job_id as id from ${jobTables.jobs} limit 1`);
  expect((await ute('forget', 'job', rows[0]?.id, '--now')).code).toBe(0);
  expect(await takeBackup()).toBeGreaterThan(size);
  const from = ['--from', target(), '--identity', identityFile(), '--at', `${size}`];
  const ran = await ute('restore', ...from, '--verify');
  expect([ran.err, ran.code]).toEqual(['', 0]);
  expect(ran.out).toContain(`${size} events checked, every hash fits\nread models are what the log says\n`);
  expect(ran.out).toContain('2 erased, 0 of them with a key\n');
}, 120_000);

test('a damaged file keeps nothing else from coming back, and a drill does not call that well', async () => {
  const ids = ['a', 'b'].map((letter) => letter.repeat(32));
  for (const id of ids) {
    await stage.sources.files.put(`logos/${id}`, Buffer.from(`the logo ${id}`), 'image/webp');
    await stage.database.admin.query(
      `insert into state.files (id, business_id, kind, name, mime, bytes, created_at)
       values ($1, 'b1', 'logo', 'logo.webp', 'image/webp', 41, now())`,
      [id],
    );
  }
  await ute('backup', '--once', '--to', target(), '--recipient', stage.recipient);
  const [name = ''] = await stage.target.list('files/logos/');
  const file = join(target(), name);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0, bytes.length - 20));
  const ran = await ute('restore', '--from', target(), '--identity', identityFile(), '--verify');
  expect([ran.err, ran.code]).toEqual(['', 1]);
  expect(ran.out).toContain(`DAMAGED in the target: the bytes of logos/${ids[0]}\n`);
  expect(ran.out).toMatch(/, 1 file\n/);
  expect(ran.out).toContain('1800 events checked, every hash fits\n');
  expect(ran.out).not.toContain('Noted in the target');
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
