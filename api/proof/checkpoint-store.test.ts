import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { s3Target } from '#api/providers/backup-target.ts';
import { noteSigner, signNote } from '#core/crypto/note.ts';
import { writeCheckpoint } from '#core/proof/checkpoint.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { s3Server } from '#tests/support/servers/providers.ts';
import { checkpointBucket, checkpointFile, notesIn, openCheckpointStore } from './checkpoint-store.ts';

const access = {
  ...{ region: 'ap-southeast-2', accessKeyId: 'AKIAEXAMPLE' },
  secretAccessKey: 'the secret of the test',
};
const bucket = 'ute-checkpoints';
const server = s3Server({ bucket, ...access });
afterAll(() => server.stop());
afterEach(() => server.fail(null));

let now: Date;
beforeEach(() => {
  server.objects.clear();
  now = new Date('2026-11-24T05:00:00.000Z');
});

const signer = noteSigner('a.example/log/1', new Uint8Array(32).fill(1));
const note = (size: number) =>
  signNote(
    writeCheckpoint({ origin: 'a.example/log/1', size, root: new Uint8Array(32).fill(size) }),
    [signer],
    new Date(0),
  );
const store = () => {
  const target = s3Target({ bucket, prefix: 'log/' }, { endpoint: server.url, ...access });
  return checkpointBucket(target, 's3://ute-checkpoints/log/', () => now);
};
const pass = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

test('a bucket has an object for each checkpoint, in the order of time, and none is written twice', async () => {
  const opened = store();
  expect(await opened.newest()).toBeNull();
  expect(await opened.recent(5)).toBe('');
  for (let size = 8; size <= 11; size += 1) {
    await opened.add(note(size));
    pass(1);
  }
  expect([...server.objects.keys()].sort()).toEqual([
    'log/checkpoint-2026-11-24T05-00-00.000Z-8.txt',
    'log/checkpoint-2026-11-24T05-01-00.000Z-9.txt',
    'log/checkpoint-2026-11-24T05-02-00.000Z-10.txt',
    'log/checkpoint-2026-11-24T05-03-00.000Z-11.txt',
  ]);
  expect(await opened.newest()).toBe(note(11));
  expect(notesIn(await opened.recent(2))).toEqual([note(10), note(11)]);
});

test.each([0, 60, 24 * 60, 40 * 24 * 60])(
  'the newest is found by a process that starts %d minutes later, and by one that another has passed',
  async (minutes) => {
    const leader = store();
    await leader.add(note(3));
    pass(1);
    await leader.add(note(4));
    pass(minutes);
    const next = store();
    expect(await next.newest()).toBe(note(4));
    await next.add(note(5));
    expect(await leader.newest()).toBe(note(5));
  },
);

test.each(['refuse', 'hang'] as const)(
  'a bucket that does not answer (%s) is an error, and the next look finds it',
  async (how) => {
    const target = s3Target({ bucket, prefix: '' }, { endpoint: server.url, ...access }, 200);
    const opened = checkpointBucket(target, 's3://ute-checkpoints/', () => now);
    server.fail(how);
    await expect(opened.add(note(1))).rejects.toThrow(/unavailable or refuses/);
    await expect(opened.newest()).rejects.toThrow(/unavailable or refuses/);
    server.fail(null);
    await opened.add(note(1));
    expect(await opened.newest()).toBe(note(1));
  },
);

test('to be compared there is what came in two days, and the last of each day before', async () => {
  const opened = store();
  expect(await opened.all()).toBeNull();
  for (let size = 1; size <= 8; size += 1) {
    await opened.add(note(size));
    pass(12 * 60);
  }
  expect(notesIn((await opened.all()) ?? '')).toEqual([2, 4, 5, 6, 7, 8].map(note));
});

test('the place is a file or a bucket, as it is named', () => {
  const to = { kind: 's3', bucket, prefix: 'log/' } as const;
  expect(openCheckpointStore({ to }, { s3: access }).where).toBe('s3://ute-checkpoints/log/');
  expect(() => openCheckpointStore({ to }, { s3: null })).toThrow(RangeError);
  const file = openCheckpointStore(
    { to: { kind: 'folder', folder: '/mnt/worm/checkpoints.txt' } },
    { s3: null },
  );
  expect(file.where).toBe('/mnt/worm/checkpoints.txt');
});

const signers = [
  noteSigner('a.example/log/1', new Uint8Array(32).fill(1)),
  noteSigner('a.example/log/1', new Uint8Array(32).fill(2), 'cosignature'),
];
const noteOfSize = (size: number) =>
  signNote(
    writeCheckpoint({ origin: 'a.example/log/1', size, root: new Uint8Array(32).fill(size) }),
    signers,
    new Date(0),
  );

let folder: ReturnType<typeof tempFolder>;
let file: string;
beforeEach(() => {
  folder = tempFolder('checkpoints');
  file = join(folder.path, 'kept', 'checkpoints.txt');
});
afterEach(() => folder.remove());

test('each note is added, and the newest is found however many there are', async () => {
  const outlet = checkpointFile(file);
  expect(await outlet.newest()).toBeNull();
  for (let size = 1; size <= 120; size += 1) await outlet.add(noteOfSize(size));
  expect(await outlet.newest()).toBe(noteOfSize(120));
  expect(notesIn(readFileSync(file, 'utf8'))).toEqual(
    Array.from({ length: 120 }, (_, n) => noteOfSize(n + 1)),
  );
});

test('half a note of a process that was killed is passed over, wherever it was cut', async () => {
  for (let end = 1; end < noteOfSize(2).length - 1; end += 1) {
    writeFileSync(join(folder.path, 'cut.txt'), '');
    const outlet = checkpointFile(join(folder.path, 'cut.txt'));
    await outlet.add(noteOfSize(1));
    appendFileSync(join(folder.path, 'cut.txt'), `\n\n${noteOfSize(2).slice(0, end)}`);
    await outlet.add(noteOfSize(3));
    const found = notesIn(readFileSync(join(folder.path, 'cut.txt'), 'utf8'));
    expect(found.at(0)).toBe(noteOfSize(1));
    expect(found.at(-1)).toBe(noteOfSize(3));
  }
});

test('a note is found in a mail that ends its lines otherwise, and in a file without an end of line', () => {
  expect(notesIn(`Keep this.\r\n\r\n${noteOfSize(7).replaceAll('\n', '\r\n')}`)).toEqual([noteOfSize(7)]);
  expect(notesIn(noteOfSize(7).trimEnd())).toEqual([noteOfSize(7)]);
  expect(notesIn('nothing of it\n')).toEqual([]);
});
