import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isMac, macKeyOf, macOf, withMacs } from './append-mac.ts';
import type { NewRawEvent } from './raw-log.ts';

const key = macKeyOf(Buffer.alloc(32, 1));
const hash = Buffer.alloc(32, 7);

test('the first half of an HMAC over the hash, by a key that is drawn from the data key', () => {
  const drawn = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 1), '', 'ute/append-mac', 32));
  expect(key).toEqual(drawn);
  const mac = createHmac('sha256', drawn).update(hash).digest().subarray(0, 16).toString('base64url');
  expect(macOf(key, hash)).toBe(mac);
});

test('fits one hash and one key', () => {
  const mac = macOf(key, hash);
  expect(isMac(key, hash, mac)).toBe(true);
  expect(isMac(key, Buffer.alloc(32, 8), mac)).toBe(false);
  expect(isMac(macKeyOf(Buffer.alloc(32, 2)), hash, mac)).toBe(false);
  expect(isMac(key, hash, mac.slice(1))).toBe(false);
  expect(isMac(key, hash, '')).toBe(false);
});

test('stands beside the hash, and changes nothing else', () => {
  const event = {
    id: 'e1',
    metadata: { actor: 'system', hash: hash.toString('hex') },
  } as unknown as NewRawEvent;
  expect(withMacs(key, [event])).toEqual([
    { ...event, metadata: { ...event.metadata, mac: macOf(key, hash) } },
  ]);
});
