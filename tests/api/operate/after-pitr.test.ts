import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { databaseChecks } from '#api/cli/doctor/database-checks.ts';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { checkpointFile } from '#api/proof/checkpoint-store.ts';
import { refuseCutLog } from '#api/proof/epochs.ts';
import { proveOnce } from '#api/proof/follow.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { noteSigner, signNote } from '#core/crypto/note.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { openLockSession } from '#core/postgres/locks.ts';
import { writeCheckpoint } from '#core/proof/checkpoint.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { leadLock } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { testDatabase, testPool } from '#tests/support/app/database.ts';
import { tempFolder, testConfig } from '#tests/support/app/fixtures.ts';
import { cloneTemplate, dropDatabase, type Server } from '#tests/support/app/postgres.ts';
import { type BackupStage, backupKeys, logKey, openBackupStage } from '#tests/support/log/running-log.ts';
import { runUte, startUteProcess } from '#tests/support/processes/processes.ts';
import { aJob, brunswick } from '#tests/support/scenarios/events.ts';

const never = new AbortController().signal;
const origin = 'jobs.example.com/log/00000000';
const folder = tempFolder('after-pitr');
const checkpoints = join(folder.path, 'checkpoints.txt');
const ledger = join(folder.path, 'erasures.log');

let copy: Server;
let pool: ReturnType<typeof testPool>;
let store: ReturnType<typeof open>;
/** Of a customer whose details were removed after the moment that the database is taken back to. */
let erased: string;
const toClose: (() => Promise<void>)[] = [];

const drop = ({ url }: Server) => dropDatabase(inject('database').adminUrl, new URL(url).pathname.slice(1));

const open = (connectionString: string, of: ReturnType<typeof testPool>) =>
  createEmbeddedEventStore({ pool: of, connectionString, dataKey: backupKeys.data });

async function append(to: ReturnType<typeof open>, amount: number): Promise<void> {
  const stream = newJobStream();
  const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
  await to.append(stream, 'no-stream', events, cause);
}

async function noteOf(of: ReturnType<typeof open>, size: number): Promise<string> {
  const { roots } = await rootsAt(of, [size], { signal: never });
  const body = { origin, size, root: roots.get(size) ?? new Uint8Array(32) };
  return signNote(writeCheckpoint(body), [noteSigner(origin, logKey)], new Date(0));
}

/** The database as it was after four events, while the log went on to seven; one of the four customers was erased since. */
beforeEach(async () => {
  const original = await testDatabase();
  const before = open(original.url, original.pool);
  const { stream, event } = aJob('first', brunswick).requested();
  await before.append(stream, 'no-stream', [{ id: crypto.randomUUID(), event }, notes(stream, 1)], cause);
  erased = stream.replace('job-', 'customer-');
  await append(before, 2);
  await original.pool.query(`insert into proof.log (epoch, origin, from_size) values (1, $1, 0)`, [origin]);
  await original.pool.query(
    `insert into state.sessions (id, account_id, business_id, remember, device, created_at, last_seen_at, expires_at)
     values ('s1', gen_random_uuid(), gen_random_uuid(), true, 'd', now(), now(), now() + interval '1 day')`,
  );
  await original.pool.query(
    `insert into state.reset_tokens (account_id, token_hash, asked_at, good_until, expires_at)
     values (gen_random_uuid(), '\\x01', now(), now() + interval '1 hour', now() + interval '1 day')`,
  );
  await original.pool.query(
    `insert into state.announcements (id, kind, subject, body, begun_at) values ('a1', 'newsletter', 'S', 'B', now())`,
  );
  await original.pool.query(
    `insert into state.outbox (id, kind, announcement, queued_at, wanted_at, due_at, delivery_status)
     select gen_random_uuid(), 'newsletter', 'a1', now(), now(), now(), status from unnest(array['waiting', 'sent']) status`,
  );
  await original.pool.query(`insert into state.process_positions (process, position) values ('outbox', 1)`);
  await before.close();
  await original.pool.end();
  await original.admin.end();

  copy = await cloneTemplate(original, new URL(original.url).pathname.slice(1));
  const later = testPool(forAllBusinesses(original.url));
  const goesOn = open(original.url, later);
  const four = await noteOf(goesOn, 4);
  await append(goesOn, 3);
  writeFileSync(checkpoints, `${four}\n\n${await noteOf(goesOn, 7)}`);
  await goesOn.close();
  await later.end();
  await drop(original);
  await fileLedger(ledger).append([{ at: '2026-11-20T00:00:00.000Z', erasureId: 'e1', subject: erased }]);
  pool = testPool(forAllBusinesses(copy.url));
  store = open(copy.url, pool);
});

afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
  await store?.close();
  await pool?.end();
  await drop(copy);
  for (const file of [checkpoints, ledger]) rmSync(file, { force: true });
});

const ute = (...words: string[]) => command('restore', '--after-pitr', ...words);
const environment = () => ({
  ...{ DATABASE_URL: copy.url, DATA_DIR: folder.path, ERASURES_TO: ledger, CHECKPOINTS_TO: checkpoints },
  DATA_KEY: backupKeys.data.toString('base64'),
  CLAIM_KEY: backupKeys.claim.toString('base64'),
  LOG_KEY: logKey.toString('base64'),
});
const command = (...words: string[]) => runUte(environment(), ...words);

const rows = async (text: string) => (await pool.query(text)).rows;
const keyOf = async (subject: string) =>
  (
    await pool.query('select wrapped_key is null as gone from state.subject_keys where subject = $1', [
      subject,
    ])
  ).rows[0]?.gone;

const owner = crypto.randomUUID();
/** An account as the read models have it, of whom the database knows neither password nor reservations. */
async function insertOwner(): Promise<void> {
  const { accounts, businesses } = accountTables;
  for (const [table, row] of [
    [accounts, { account_id: owner, business_id: 'b1' }],
    [businesses, { business_id: 'b1' }],
  ] as const) {
    const { rows: columns } = await pool.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_catalog.pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull`,
      [table],
    );
    const none = { text: '', boolean: false, integer: 0, 'timestamp with time zone': 'now', jsonb: '{}' };
    const filled = Object.fromEntries(
      columns.map(({ name, type }) => [name, none[type as keyof typeof none] ?? '']),
    );
    await pool.query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
      { ...filled, ...row },
    ]);
  }
}

async function finishOwner(): Promise<void> {
  await pool.query(
    `insert into state.credentials (account_id, business_id, hash, changed_at) values ($1, $1, 'h', now())`,
    [owner],
  );
  await pool.query(
    `insert into state.reservations (kind, key, owner, status)
     select kind, decode(md5(kind), 'hex'), $1, 'kept' from unnest(array['email', 'mobile']) kind`,
    [owner],
  );
}

const startChecks = () => refuseCutLog(pool, store, checkpointFile(checkpoints), [logKey]);

test('a database that was taken back is shown what is to be done, is made whole, and goes on under an epoch', async () => {
  await expect(startChecks()).rejects.toThrow(
    'The log ends at 4: 3 events of checkpoint 7 in CHECKPOINTS_TO are missing. Nothing was changed. If you took Postgres back to an earlier moment, run: bun run ute restore --after-pitr',
  );
  // A worker that goes on here would write where other events stood.
  await expect(startUteProcess(environment())).rejects.toThrow('Ute ended with exit code 1');
  expect(await rows('select count(*)::int as n from event_store.events')).toEqual([{ n: 4 }]);
  const shown = await ute('--dry-run');
  expect([shown.err, shown.code]).toEqual(['', 0]);
  expect(shown.out).toBe(
    [
      'nothing is changed; without --dry-run:',
      'LOST: 3 events that a checkpoint had; a new epoch of the log begins',
      'erased again by the ledger: 1 person',
      '1 message that waited: not sent, see ute outbox list',
      '1 session and 1 link or code end: everybody signs in again',
      '',
    ].join('\n'),
  );
  expect(await keyOf(erased)).toBe(false);
  expect(await rows('select epoch from proof.log')).toHaveLength(1);
  expect(await rows('select id from state.sessions')).toHaveLength(1);

  const done = await ute();
  expect([done.err, done.code]).toEqual(['', 0]);
  expect(done.out).toContain('LOST: 3 events that a checkpoint had; a new epoch of the log began\n');
  expect(done.out).toContain('erased again by the ledger: 1 person\n');
  expect(await keyOf(erased)).toBe(true);
  expect(await rows('select delivery_status as s from state.outbox order by 1')).toEqual([
    { s: 'dead' },
    { s: 'sent' },
  ]);
  expect(await rows(`select position from state.process_positions where process = 'outbox'`)).toEqual([
    { position: '4' },
  ]);
  expect(await rows('select 1 from state.sessions union all select 1 from state.reset_tokens')).toEqual([]);

  await startChecks();
  await append(store, 2);
  const proof = {
    ...{ log: store, pool, connectionString: copy.url, host: 'jobs.example.com', now: () => new Date() },
    keys: { key: logKey, clock: Buffer.alloc(32, 2), before: null },
    ...{ macKey: macKeyOf(backupKeys.data), statementKey: statementKeyOf(backupKeys.data) },
    outlet: checkpointFile(checkpoints),
  };
  await proveOnce(proof, silentLog, never);
  const newest = await checkpointFile(checkpoints).newest();
  expect(newest?.split('\n')[0]).toBe(`${origin}.2`);

  const audited = await command('audit', 'verify');
  expect(audited.code).toBe(0);
  expect(audited.out).toMatch(
    /epoch 2 continues \S+ at 4; 3 events up to 7 were lost; restored \S+Z\n1 checkpoint states events that a restore lost: not compared\n/,
  );

  const again = await ute();
  expect([again.err, again.code]).toEqual(['', 0]);
  expect(again.out).toContain('the log has all that checkpoints state\n');
  expect(again.out).toContain('erased again by the ledger: 0 people\n');
  expect(await rows('select epoch from proof.log')).toHaveLength(2);
}, 120_000);

test('it is refused without the ledger, beside a worker, and on a log that is not the published one', async () => {
  const refusal = async (...words: string[]) => {
    const { out, err, code } = await ute(...words);
    return [out, err, code];
  };
  const session = await openLockSession(copy.url, 'test');
  toClose.push(session.close);
  await session.take([leadLock('proof')]);
  expect(await refusal()).toEqual([
    ...['', 'A worker runs on this database: stop all processes of the product first.\n', 1],
  ]);
  await session.close();
  const kept = readFileSync(ledger);
  rmSync(ledger);
  expect((await refusal())[1]).toMatch(/erasures\.log is missing: without it erased people come back\./);
  writeFileSync(ledger, kept);
  const other = writeCheckpoint({ origin, size: 3, root: new Uint8Array(32) });
  writeFileSync(checkpoints, signNote(other, [noteSigner(origin, logKey)], new Date(0)));
  expect(await refusal()).toEqual([
    '',
    `The log that was restored is not the one of checkpoint 3 (${origin}): something before it was changed.\n`,
    1,
  ]);
  expect(await rows('select epoch from proof.log')).toHaveLength(1);
  expect(await rows('select id from state.sessions')).toHaveLength(1);
  expect(await keyOf(erased)).toBe(false);
}, 120_000);

test('people of whom the log speaks and whose keys are missing are counted, and a backup brings the keys', async () => {
  const stage: BackupStage = await openBackupStage();
  toClose.push(stage.close);
  const backup = await stage.backup.run();
  expect(backup.manifest.log.size).toBe(0);
  const { rows: keys } = await pool.query('delete from state.subject_keys returning *');
  expect(keys).toHaveLength(2);
  await insertOwner();
  const without = await ute('--dry-run');
  expect(without.code).toBe(1);
  expect(without.out).toContain(
    'MISSING: the keys of 2 people of whom the log speaks: --from a backup brings them\n',
  );

  expect(without.out).toContain(
    'MISSING: the password or a reservation of 1 account: the log is newer than the database\n',
  );
  const checks = databaseChecks({ db: pool, config: testConfig(), now: () => new Date() });
  const [finding] = await runChecks(checks.filter(({ name }) => name === 'accounts'));
  expect(finding?.state).toBe('wrong');
  expect(finding?.line).toContain(`no one can sign in to ${owner}:`);
  await finishOwner();

  await fileLedger(stage.sources.ledger).append((await fileLedger(ledger).read())?.lines ?? []);
  for (const { subject, wrapped_key } of keys)
    await stage.database.pool.query('insert into state.subject_keys (subject, wrapped_key) values ($1, $2)', [
      ...[subject, wrapped_key],
    ]);
  stage.pass(1);
  await stage.backup.run();
  const identity = join(stage.folder, 'identity.txt');
  writeFileSync(identity, stage.identity);
  const from = ['--from', join(stage.folder, 'target'), '--identity', identity];
  rmSync(ledger);
  const shown = await ute('--dry-run', ...from);
  expect([shown.err, shown.code]).toEqual(['', 0]);
  expect(shown.out).toContain('erased again by the ledger: 1 person\n');
  expect(existsSync(ledger)).toBe(false);
  expect((await ute(...from, '--into', copy.url)).err).toContain("'--after-pitr' cannot be used with");
  const done = await ute(...from);
  expect([done.err, done.code]).toEqual(['', 0]);
  expect(await rows('select count(*)::int as n from state.subject_keys')).toEqual([{ n: 2 }]);
  expect(await keyOf(erased)).toBe(true);
}, 120_000);
