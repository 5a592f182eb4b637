import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { unzip } from '#tests/support/scenarios/files.ts';
import { type ArchiveEntry, archiveOf } from './archive.ts';
import type { WrittenEntry } from './written-entries.ts';

const at = new Date('2026-11-23T05:00:00.000Z');
const text = (name: string, content: ArchiveEntry['content']): ArchiveEntry => {
  return { name, at, isText: true, content };
};
const manifest = (written: Iterable<WrittenEntry>) =>
  text('manifest.json', () => [JSON.stringify([...written])]);

test('holds every entry as it was, and last what was written', async () => {
  const picture = crypto.getRandomValues(new Uint8Array(60_000));
  async function* entries() {
    yield text('notes/né 水.txt', () => ['one ', 'two']);
    yield { name: 'tap.png', at, isText: false, content: () => [picture] };
    yield text('empty.txt', () => []);
  }
  const read = await unzip(await new Response(archiveOf(entries(), manifest)).bytes());
  expect([...read.keys()]).toEqual(['notes/né 水.txt', 'tap.png', 'empty.txt', 'manifest.json']);
  expect(read.get('notes/né 水.txt')?.toString()).toBe('one two');
  expect(read.get('tap.png')?.equals(picture)).toBe(true);
  const written: WrittenEntry[] = JSON.parse(String(read.get('manifest.json')));
  for (const { name, bytes, sha256 } of written) {
    const content = read.get(name) ?? Buffer.alloc(0);
    expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')]);
  }
});

/** Entries of which none is ever repeated, and how many pieces of them were made. */
function endless() {
  let made = 0;
  async function* entries() {
    for (let n = 0; ; n += 1) {
      yield text(`${n}.txt`, async function* () {
        for (let piece = 0; piece < 100; piece += 1) {
          made += 1;
          yield crypto.getRandomValues(new Uint8Array(1_000));
        }
      });
    }
  }
  return { entries, made: () => made };
}

test('makes nothing far ahead of its reader, and nothing after it has gone', async () => {
  const { entries, made } = endless();
  const reader = archiveOf(entries(), manifest).getReader();
  await reader.read();
  let known = -1;
  // It comes to rest by itself, long before the 3 MB that so many pieces are.
  await expect
    .poll(() => [known, (known = made())])
    .toSatisfy(([before, now]: [number, number]) => before === now);
  expect(known).toBeLessThan(3_000);
  await reader.cancel();
  expect(made()).toBe(known);
});

test('an entry that fails ends the archive: no program opens half of it', async () => {
  async function* entries() {
    yield text('jobs.csv', () => ['one']);
    yield text('events.ndjson', async function* () {
      yield 'half a line';
      throw new Error('the database is unavailable');
    });
  }
  await expect(new Response(archiveOf(entries(), manifest)).bytes()).rejects.toThrow();
});
