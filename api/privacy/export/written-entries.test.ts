import { expect, test } from 'vitest';
import { createWrittenEntries } from './written-entries.ts';
import { indexLine, type ZipEntry, zipName } from './zip-format.ts';

const entry = (n: number): ZipEntry => {
  // Every fifth is of more than 4 GB.
  const bytes = n % 5 === 0 ? 2 ** 33 + n : n;
  const of = { at: new Date(0), isDeflated: true, crc: n, compressed: n, start: 2 ** 31 + n };
  return { ...of, bytes, name: zipName(`records/né ${'x'.repeat(n % 70)} ${n}`) };
};
const sha256 = (n: number) => Buffer.alloc(32, n % 256);

test('an index of many entries is what was added, byte for byte and entry for entry', () => {
  const written = createWrittenEntries();
  expect([...written.entries()]).toEqual([]);
  const all = Array.from({ length: 3_000 }, (_, n) => n);
  for (const n of all) written.add(entry(n), sha256(n));
  expect(written.count()).toBe(3_000);
  expect(Buffer.concat([...written.index()]).equals(Buffer.concat(all.map((n) => indexLine(entry(n)))))).toBe(
    true,
  );
  expect([...written.entries()]).toEqual(
    all.map((n) => ({
      ...{ name: String(entry(n).name), bytes: entry(n).bytes },
      sha256: sha256(n).toString('hex'),
    })),
  );
});
