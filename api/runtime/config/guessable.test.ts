import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGuessable, isGuessableKey } from './guessable.ts';

test.each([
  ['one byte', Buffer.alloc(32, 7)],
  ['all bytes in turn', Buffer.from(Array.from({ length: 32 }, (_, n) => n))],
  ['every third byte', Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 3) % 256))],
  [
    'half a key twice',
    Buffer.concat([
      Buffer.from('8f3b1c77d2a94e605b1fe8a36c904d2e', 'hex'),
      Buffer.from('8f3b1c77d2a94e605b1fe8a36c904d2e', 'hex'),
    ]),
  ],
  ['hex digits in turn', Buffer.from('0123456789abcdef'.repeat(4), 'hex')],
  ['letters in turn', Buffer.from('abcdefghijklmnopqrstuvwxyz012345')],
  ['a typed text', Buffer.from('this-is-the-secret-key-of-my-ute')],
])('a key of %s is guessable', (_name, key) => {
  expect(isGuessableKey(key)).toBe(true);
});

test.each([
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  '123456789012345678901234',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'zyxwvutsrqponmlkjihgfedcba',
  'tradie-tradie-tradie-tradie',
  'please-change-me-before-use-1',
  'Passw0rd-Passw0rd-and-more-24',
  'metrics-token-of-production',
])('the token %s is guessable', (token) => {
  expect(isGuessable(token, 'METRICS_TOKEN')).toBe(true);
});

test('what a generator makes is not', () => {
  fc.assert(
    fc.property(fc.constantFrom('hex', 'base64', 'base64url'), (encoding) => {
      const key = randomBytes(32);
      expect(isGuessableKey(key)).toBe(false);
      expect(isGuessable(key.toString(encoding), 'SERVICE_KEY')).toBe(false);
      expect(isGuessable(randomBytes(18).toString(encoding), 'SERVICE_KEY')).toBe(false);
    }),
  );
  expect(isGuessable('correct-horse-battery-staple-anvil')).toBe(false);
});
