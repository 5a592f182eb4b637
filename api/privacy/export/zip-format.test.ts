import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { archiveEnd, entryEnd, entryHeader, indexLine, type ZipEntry, zipName } from './zip-format.ts';

const at = new Date('2026-11-23T05:00:02.000Z');
const GB = 1024 ** 3;

const entry = (change: Partial<ZipEntry>): ZipEntry => {
  const small = { crc: 0x12345678, compressed: 5, bytes: 9, start: 0 };
  return { name: zipName('jobs.csv'), at, isDeflated: true, ...small, ...change };
};

/** An archive of which only the end is there: what stands before it reads as zeros. */
class EndOfArchive extends RandomAccessReader {
  readonly #start: number;
  readonly #end: Buffer;

  constructor(start: number, end: Buffer) {
    super();
    [this.#start, this.#end] = [start, end];
  }

  override _readStreamForRange(from: number, to: number): PassThrough {
    const stream = new PassThrough();
    const bytes = Buffer.alloc(to - from);
    const skipped = Math.max(0, from - this.#start);
    if (to > this.#start) this.#end.copy(bytes, Math.max(0, this.#start - from), skipped);
    stream.end(bytes);
    return stream;
  }
}

/** What a reader finds in an archive whose entries end at `start`. */
async function readIndex(entries: readonly ZipEntry[], start: number) {
  const lines = Buffer.concat(entries.map(indexLine));
  const end = Buffer.concat([lines, archiveEnd(entries.length, start, lines.length)]);
  return fromRandomAccessReaderPromise(new EndOfArchive(start, end), start + end.length);
}

test('the index of an archive of many gigabytes says where everything stands', async () => {
  const entries = [
    entry({ name: zipName('small.txt') }),
    entry({ name: zipName('events.ndjson'), compressed: 1 * GB, bytes: 5 * GB, start: 60 }),
    entry({ name: zipName('tap.png'), isDeflated: false, compressed: 6 * GB, bytes: 6 * GB, start: 2 * GB }),
    entry({ name: zipName('late.txt'), start: 8 * GB }),
  ];
  const found = [];
  for await (const one of (await readIndex(entries, 9 * GB)).eachEntry()) found.push(one);
  expect(
    found.map(({ fileName, compressedSize, uncompressedSize, relativeOffsetOfLocalHeader: start }) => {
      return { name: fileName, compressed: compressedSize, bytes: uncompressedSize, start };
    }),
  ).toEqual(
    entries.map(({ name, compressed, bytes, start }) => ({ name: `${name}`, compressed, bytes, start })),
  );
  for (const one of found)
    expect([one.crc32, one.getLastModDate().toISOString()]).toEqual([0x12345678, at.toISOString()]);
});

test('an archive has as many entries as there are files of many jobs', async () => {
  const entries = Array.from({ length: 70_000 }, (_, n) =>
    entry({ name: zipName(`files/${n}.png`), start: n * 100 }),
  );
  expect((await readIndex(entries, 7_000_000)).entryCount).toBe(70_000);
});

test('sizes that were not known before an entry stand after it, in as many bytes as the index needs', () => {
  const small = entryEnd(entry({}));
  expect([small.length, small.readUInt32LE(4), small.readUInt32LE(8), small.readUInt32LE(12)]).toEqual([
    ...[16, 0x12345678, 5, 9],
  ]);
  const large = entryEnd(entry({ compressed: 2 * GB, bytes: 5 * GB }));
  expect([large.length, large.readBigUInt64LE(8), large.readBigUInt64LE(16)]).toEqual([
    ...[24, BigInt(2 * GB), BigInt(5 * GB)],
  ]);
});

test('a name that leads out of its folder is refused', () => {
  for (const path of ['../jobs.csv', 'files/../../x', '/etc/passwd', 'C:/x', 'files\\..\\x', '..'])
    expect(() => zipName(path)).toThrow(RangeError);
  expect(String(zipName('files/1 a..b né 水.pdf'))).toBe('files/1 a..b né 水.pdf');
});

test('a moment that DOS could not write is the nearest that it could', () => {
  const dayOf = (moment: string) => entryHeader(entry({ at: new Date(moment) })).readUInt16LE(12);
  expect(dayOf('1970-06-01T00:00:00.000Z')).toBe((1 << 5) | 1);
  expect(dayOf('2200-06-01T00:00:00.000Z')).toBe((127 << 9) | (12 << 5) | 31);
});
