import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkpointFile, notesIn } from '#api/proof/checkpoint-store.ts';
import { proveOnce } from '#api/proof/follow.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { noteSigner, openNote, signatureLine } from '#core/crypto/note.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { rewriteStream } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { cause, newJobStream, notes } from './samples.ts';

const dataKey = randomBytes(32);
const stream = newJobStream();
const job = stream.slice('job-'.length);
let database: TestDatabase;
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder('audit');
  database = await testDatabase();
  const store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey });
  const events = Array.from({ length: 20 }, (_, n) => notes(stream, n));
  await store.append(stream, 'no-stream', events, cause);
  await store.close();
});
afterAll(async () => {
  await database?.close();
  folder?.remove();
});

const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

test('audit verify says how many events fit, with its progress apart from what scripts read', async () => {
  expect(await ute('audit', 'verify')).toEqual({
    out: 'log: 20 events checked, every hash fits\n',
    err: expect.stringMatching(/^log: 2 of 20\n.*log: 20 of 20\n$/s),
    code: 0,
  });
  expect(await ute('audit', 'verify', '--job', job)).toEqual({
    out: `${stream}: 20 events checked, every hash fits\n`,
    err: '',
    code: 0,
  });
});

test('one byte changed in the log is named by its position, and the exit code is 1', async () => {
  await database.admin.query(`
    begin;
    set local session_replication_role = 'replica';
    update event_store.events set data = jsonb_set(data, '{businessId}', '"b2"') where pos = 14;
    commit`);
  const line = `BROKEN at position 14 (${stream}, revision 13): the hash does not fit; 13 events before it fit\n`;
  expect(await ute('audit', 'verify')).toMatchObject({ out: `log: ${line}`, code: 1 });
  expect(await ute('audit', 'verify', '--job', job)).toMatchObject({ out: `${stream}: ${line}`, code: 1 });
});

test.each([
  ['no-such-job', 'There is no job-no-such-job in the log.'],
  ['../x', 'An id of letters, digits and dashes.'],
])('a job that cannot be found is an error: %s', async (id, line) => {
  const { out, err, code } = await ute('audit', 'verify', '--job', id);
  expect({ out, code }).toEqual({ out: '', code: 1 });
  expect(err).toContain(line);
});

const other = { DATA_KEY: dataKey.toString('base64'), LOG_KEY: randomBytes(32).toString('base64') };

describe('checkpoints that were stored elsewhere', () => {
  let own: TestDatabase;
  let store: ReturnType<typeof createEmbeddedEventStore>;
  let minutes = 0;
  let longest: StreamName;
  const file = () => join(folder.path, 'kept.txt');
  const env = () => ({ ...other, DATABASE_URL: own.url, DATA_DIR: folder.path, CHECKPOINTS_TO: file() });
  const verify = (...words: string[]) => runUte(env(), 'audit', 'verify', ...words);
  const key = Buffer.from(other.LOG_KEY, 'base64');

  beforeAll(async () => {
    own = await testDatabase();
    store = createEmbeddedEventStore({ ...own, connectionString: own.url, dataKey });
  });
  afterAll(async () => {
    await store?.close();
    await own?.close();
  });

  async function seed(amount: number): Promise<StreamName> {
    const one = newJobStream();
    await store.append(
      one,
      'no-stream',
      Array.from({ length: amount }, (_, n) => notes(one, n)),
      cause,
    );
    return one;
  }

  async function sign(): Promise<void> {
    minutes += 2;
    await proveOnce(
      {
        ...{ log: store, pool: own.pool, connectionString: own.url, host: 'jobs.example.com' },
        ...{ keys: { key, clock: Buffer.alloc(32, 3), before: null }, outlet: checkpointFile(file()) },
        macKey: macKeyOf(dataKey),
        statementKey: statementKeyOf(dataKey),
        now: () => new Date(minutes * 60_000),
      },
      silentLog,
      new AbortController().signal,
    );
  }

  test('fit an honest log, and the file is named with the key', async () => {
    await seed(30);
    await sign();
    longest = await seed(500);
    await sign();
    const { out, code } = await verify();
    expect(out).toMatch(
      /^log: 530 events checked, every hash fits\nroot at 530 is the one in \S+kept\.txt, signed by jobs\.example\.com\/log\/[0-9a-f]{8}\+[0-9a-f]{8}\+\S{44}\n$/,
    );
    expect(code).toBe(0);
    expect(await runUte(env(), 'proof', 'status')).toMatchObject({
      out: expect.stringMatching(
        /^log jobs\.example\.com\/log\/\w{8}\ntree 530 leaves, the last at position 530\ncheckpoint 530, signed [^\n]+\noutside the same, in /,
      ),
      code: 0,
    });
  });

  test('with a witness only what it signed counts', async () => {
    const witness = noteSigner('witness.example/w', Buffer.alloc(32, 7), 'cosignature');
    const { vkey } = witness.verifier;
    expect(await verify('--witness', vkey)).toMatchObject({
      out: expect.stringMatching(/\nno checkpoint is signed by witness\.example\/w\n$/),
      code: 1,
    });
    const notes = notesIn(readFileSync(file(), 'utf8'));
    const [first = ''] = notes;
    const witnessed = join(folder.path, 'witnessed.txt');
    const line = signatureLine(openNote(first, [])?.text ?? '', witness, new Date(0));
    writeFileSync(witnessed, [first + line, ...notes.slice(1)].join('\n\n'));
    const { out, code } = await verify('--checkpoint', witnessed, '--witness', vkey);
    expect(out).toMatch(/\nroot at 30 is the one in [^\n]+ and the witness witness\.example\/w\n$/);
    expect(code).toBe(0);
    expect(await verify('--witness', 'not-a-key')).toMatchObject({
      err: expect.stringContaining('Not the key of a witness.'),
      code: 1,
    });
  });

  test('a file without one, or that is not there, is not looked at: exit code 2', async () => {
    writeFileSync(join(folder.path, 'empty.txt'), 'nothing\n');
    expect(await verify('--checkpoint', join(folder.path, 'empty.txt'))).toMatchObject({
      err: expect.stringContaining('empty.txt has no checkpoint.'),
      code: 2,
    });
    const missing = join(folder.path, 'none.txt');
    expect(await verify('--checkpoint', missing)).toMatchObject({
      // Nothing of the log was read before.
      ...{ out: '', err: `${missing} cannot be read.\n`, code: 2 },
    });
  });

  test('a place of our own that was emptied is an error, not a place without checkpoints', async () => {
    const emptied = join(folder.path, 'emptied.txt');
    writeFileSync(emptied, '');
    expect(await runUte({ ...env(), CHECKPOINTS_TO: emptied }, 'audit', 'verify')).toMatchObject({
      err: expect.stringContaining('emptied.txt has no checkpoint.'),
      code: 2,
    });
    const none = { ...env(), CHECKPOINTS_TO: join(folder.path, 'never-written.txt') };
    expect(await runUte(none, 'audit', 'verify')).toMatchObject({ code: 0 });
  });

  test('a forged note is named', async () => {
    const forged = readFileSync(file(), 'utf8').replace('\n530\n', '\n531\n');
    writeFileSync(join(folder.path, 'forged.txt'), forged);
    await seed(1);
    const { out, code } = await verify('--checkpoint', join(folder.path, 'forged.txt'));
    expect(out).toContain('the signature of checkpoint 531 in');
    expect(code).toBe(1);
  });

  test('a history that was rewritten, chains and all, fits its chains and not the checkpoint', async () => {
    await rewriteStream(own.admin, longest, macKeyOf(dataKey), ({ pos, data }) =>
      Number(pos) === 300 ? { ...data, businessId: 'b2' } : data,
    );
    const { out, code } = await verify();
    expect(out).toMatch(
      /^log: 531 events checked, every hash fits\nroot at 30 is the one in [^\n]+\nroot fits at 30 and NOT at 530 \([^\n]+\): something between those two was changed; the first that differs is among leaves 256 to 511\n$/,
    );
    expect(code).toBe(1);
  });

  test('a log that was cut says how many events are missing', async () => {
    await own.admin.query("set session_replication_role = 'replica'");
    await own.admin.query('delete from event_store.events where pos > 500');
    const { out, code } = await verify();
    expect(out).toContain('the log ends at 500: 30 events of the checkpoint 530 in');
    expect(code).toBe(1);
  });

  test('a row of the database that begins an epoch takes nothing from what is compared', async () => {
    await own.pool.query(
      `insert into proof.log (epoch, origin, from_size, why)
       select 2, origin || '.2', 100, 'continues it at 100; 430 events were lost' from proof.log`,
    );
    const { out, code } = await verify();
    expect(out).toContain('the log ends at 500: 30 events of the checkpoint 530 in');
    expect(out).toContain('epoch 2 from 100 events on, in a note that the LOG_KEY here did NOT sign\n');
    expect(code).toBe(1);
  });
});
