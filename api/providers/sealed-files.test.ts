import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SubjectKey } from '#core/event-store/subject-keys.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { FileKey, FileStore } from './files.ts';
import { sealedFiles } from './sealed-files.ts';

const PIECE = 65_536;
const key: FileKey = `media/${'a'.repeat(32)}`;
const other: FileKey = `media/${'b'.repeat(32)}`;

/** Keys and stored bytes in memory, and the store that seals above them. */
function stage() {
  const keys = new Map<string, SubjectKey>();
  const bytes = new Map<string, Uint8Array>();
  const errors: object[] = [];
  const stored: FileStore = {
    async put(at, given) {
      bytes.set(at, given instanceof Uint8Array ? given.slice() : new Uint8Array(Buffer.concat([...given])));
      expect(bytes.get(at)).toHaveLength(given.length);
    },
    get: async (at) => bytes.get(at)?.slice() ?? null,
    remove: async (at) => void bytes.delete(at),
  };
  const ensure = (subjects: readonly string[]) => {
    for (const one of subjects) if (!keys.has(one)) keys.set(one, randomBytes(32));
  };
  const files = sealedFiles({
    files: stored,
    subjectKeys: {
      find: async () => new Map(keys),
      async ensure(subjects) {
        ensure(subjects);
        return new Map(keys);
      },
    },
    logger: { error: (line: object) => void errors.push(line) } as never,
  });
  return { files, keys, bytes, errors };
}

describe('a file that is sealed', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 1_000_003])(
    'of %i bytes opens as it was',
    async (length) => {
      const { files, bytes } = stage();
      const clear = new Uint8Array(randomBytes(length));
      await files.put(key, clear, 'image/png', 'customer-1');
      expect(Buffer.from((await files.get(key)) ?? [1]).equals(clear)).toBe(true);
      if (length > 16) expect(Buffer.from(bytes.get(key) ?? []).includes(Buffer.from(clear))).toBe(false);
    },
  );

  test('is under a key of its own until it has a subject', async () => {
    const { files, keys } = stage();
    await files.put(key, new Uint8Array([1]), 'image/png');
    expect([...keys.keys()]).toEqual([`upload-${'a'.repeat(32)}`]);
  });

  test('is not found once its key is destroyed, and takes no other bytes then', async () => {
    const { files, keys } = stage();
    await files.put(key, new Uint8Array([1, 2]), 'image/png', 'customer-1');
    keys.set('customer-1', 'destroyed');
    expect(await files.get(key)).toBeNull();
    const again = files.put(key, new Uint8Array([1]), 'image/png', 'customer-1');
    await expect(again).rejects.toThrow(ConflictError);
    keys.delete('customer-1');
    expect(await files.get(key)).toBeNull();
  });

  test('that is sealed anew between two reads is found all the same', async () => {
    const { files, keys, bytes } = stage();
    await files.put(key, new Uint8Array([1, 2]), 'image/png');
    const before = bytes.get(key) ?? new Uint8Array();
    await files.put(key, new Uint8Array([1, 2]), 'image/png', 'customer-1');
    keys.set(`upload-${'a'.repeat(32)}`, 'destroyed');
    const after = bytes.get(key) ?? new Uint8Array();
    let isFirst = true;
    const get = bytes.get.bind(bytes);
    bytes.get = (at) => {
      const first = isFirst;
      isFirst = false;
      return at === key ? (first ? before : after) : get(at);
    };
    expect([...((await files.get(key)) ?? [])]).toEqual([1, 2]);
  });

  const long = new Uint8Array(randomBytes(2 * PIECE + 5));
  test.each<[string, (sealed: Uint8Array) => Uint8Array]>([
    ['with one bit changed', (sealed) => sealed.with(sealed.length - 30, (sealed.at(-30) ?? 0) ^ 1)],
    ['cut at the end of a piece', (sealed) => sealed.slice(0, sealed.length - 5 - 16)],
    ['cut in a tag', (sealed) => sealed.slice(0, -3)],
    ['cut after its header', (sealed) => sealed.slice(0, 40)],
    ['with a byte more', (sealed) => new Uint8Array([...sealed, 0])],
  ])('%s is not found, and said to be damaged', async (_, change) => {
    const { files, bytes, errors } = stage();
    await files.put(key, long, 'image/png', 'customer-1');
    bytes.set(key, change(bytes.get(key) ?? new Uint8Array()));
    expect(await files.get(key)).toBeNull();
    expect(errors).toEqual([{ event: 'file-damaged', file: key }]);
  });

  test('is not found in the place of another, of the same customer or as its small picture', async () => {
    const { files, bytes } = stage();
    await files.put(key, long, 'image/png', 'customer-1');
    const sealed = bytes.get(key) ?? new Uint8Array();
    for (const place of [other, `thumbs/${'a'.repeat(32)}` as const]) {
      bytes.set(place, sealed);
      expect(await files.get(place)).toBeNull();
    }
  });
});

test('a logo is as it is, and a customer’s file that is not sealed is not found and named in the log', async () => {
  const { files, bytes, keys, errors } = stage();
  const logo: FileKey = `logos/${'a'.repeat(32)}`;
  await files.put(logo, new Uint8Array([9]), 'image/webp');
  bytes.set(key, new Uint8Array([0x89, 0x50]));
  expect([await files.get(logo), await files.get(key)]).toEqual([new Uint8Array([9]), null]);
  expect(errors).toEqual([{ event: 'file-damaged', file: key }]);
  expect(keys.size).toBe(0);
  expect(await files.get(other)).toBeNull();
});
