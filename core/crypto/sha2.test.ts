import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256, sha512 } from './sha2.ts';

test('hashes are those of the runtime, at every length around a block', () => {
  const bytes = Uint8Array.from({ length: 400 }, (_, n) => (n * 167 + 13) % 256);
  for (let length = 0; length <= bytes.length; length += 1) {
    const text = bytes.subarray(0, length);
    expect(Buffer.from(sha256(text)).equals(createHash('sha256').update(text).digest()), `${length}`).toBe(
      true,
    );
    expect(Buffer.from(sha512(text)).equals(createHash('sha512').update(text).digest()), `${length}`).toBe(
      true,
    );
  }
});
