import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { NewRawEvent } from './raw-log.ts';

/** Bytes of a message authentication code: half of the HMAC, as section 5 of RFC 2104 allows. */
const BYTES = 16;

/** The key that shows that an event was appended by the product, drawn from `dataKey` (32 bytes). */
export function macKeyOf(dataKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'ute/append-mac', 32));
}

/** The code of an event, in base64url, over its hash (32 bytes), which covers all else of it. */
export function macOf(key: Buffer, hash: Buffer): string {
  return createHmac('sha256', key).update(hash).digest().toString('base64url', 0, BYTES);
}

/**
 * The events as they are stored. The code is in neither chain nor tree, so that a log can be verified without any key;
 * who may write into the database but has no key cannot make one.
 */
export function withMacs(key: Buffer, events: readonly NewRawEvent[]): NewRawEvent[] {
  return events.map((event) => {
    const { metadata } = event;
    return { ...event, metadata: { ...metadata, mac: macOf(key, Buffer.from(metadata.hash, 'hex')) } };
  });
}

/** Whether `mac` is the code of the event with this hash (32 bytes). */
export function isMac(key: Buffer, hash: Buffer, mac: string): boolean {
  const [given, right] = [Buffer.from(mac), Buffer.from(macOf(key, hash))];
  return given.length === right.length && timingSafeEqual(given, right);
}
