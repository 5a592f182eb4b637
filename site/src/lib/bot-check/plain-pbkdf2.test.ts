import { createHash, pbkdf2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { fromHex, pbkdf2, sha256, toHex } from './plain-pbkdf2.ts';

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 73 + length) % 256);

test('hashes as the platform does, at every length around a block', () => {
  for (const length of [0, 1, 31, 32, 55, 56, 63, 64, 65, 119, 120, 200]) {
    const expected = createHash('sha256').update(bytesOf(length)).digest('hex');
    expect(toHex(sha256(bytesOf(length))), `${length} bytes`).toBe(expected);
  }
});

test.each([
  [20, 16, 1, 32],
  [20, 16, 500, 32],
  [36, 20, 3, 16],
  [80, 70, 2, 32],
])('derives the key that the platform derives: %i-byte password, %i-byte salt, %i iterations', (...given) => {
  const [password, salt, iterations, length] = given;
  const expected = pbkdf2Sync(bytesOf(password), bytesOf(salt), iterations, length, 'sha256').toString('hex');
  expect(toHex(pbkdf2(bytesOf(password), bytesOf(salt), iterations, length))).toBe(expected);
});

test('reads and writes hex', () => {
  expect(toHex(fromHex('00ff10a9'))).toBe('00ff10a9');
});
