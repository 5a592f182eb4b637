import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { cause } from '#tests/event-store/samples.ts';
import { chainHash, isMac, macKeyOf, macOf, verifyChain, withMacs } from './chain.ts';
import type { NewRawEvent, RawEvent } from './raw-log.ts';

const { at, ...who } = cause;

/** Two streams in turn, so that each event's predecessor is not its neighbour. */
function log(length: number): RawEvent[] {
  const ends = new Map<string, string>();
  return Array.from({ length }, (_, index) => {
    const stream = index % 2 === 0 ? 'job-a' : 'job-b';
    const fact = { id: `id-${index}`, type: 'JobAccepted', schema: 1, at, data: { n: index } };
    const place = { stream, revision: Math.floor(index / 2) } as const;
    const hash = chainHash(ends.get(stream) ?? null, { ...fact, ...place, metadata: who });
    ends.set(stream, hash);
    return { ...fact, ...place, position: String(index + 1), metadata: { ...who, hash } };
  });
}

function changed(index: number, change: Partial<RawEvent>): RawEvent[] {
  return log(12).map((event, n) => (n === index ? { ...event, ...change } : event));
}

test('the hash is the one ever written: it may never be computed otherwise', () => {
  expect(log(1)[0]?.metadata.hash).toBe('f723de641d6463d9c95d5b3ff89c49c2e7e818cef2764f733388a480a188f7bf');
});

test('an untouched log fits', async () => {
  expect(await verifyChain(log(12))).toEqual({ checked: 12, broken: null });
  expect(await verifyChain([])).toEqual({ checked: 0, broken: null });
});

test.each<[string, Partial<RawEvent>]>([
  ['data', { data: { n: 8 } }],
  ['type', { type: 'JobRejected' }],
  ['schema', { schema: 2 }],
  ['id', { id: 'id-8' }],
  ['time', { at: '2026-11-20T01:02:03.005Z' }],
  ['actor', { metadata: { ...(log(12)[7] as RawEvent).metadata, actor: 'customer' } }],
  ['hash', { metadata: { ...(log(12)[7] as RawEvent).metadata, hash: '0'.repeat(64) } }],
  ['metadata lost', { metadata: {} as RawEvent['metadata'] }],
])('a change of the %s is found at its position', async (_, change) => {
  expect(await verifyChain(changed(7, change))).toMatchObject({
    checked: 7,
    broken: { position: '8', stream: 'job-b', revision: 3 },
  });
});

test('a change with a hash made anew is found at the next event of the stream', async () => {
  const events = log(12);
  const { metadata, ...fact } = events[5] as RawEvent;
  const forged = { ...fact, data: { n: 99 } };
  const previous = events[3]?.metadata.hash ?? null;
  events[5] = { ...forged, metadata: { ...who, hash: chainHash(previous, { ...forged, metadata: who }) } };
  expect(metadata.hash).not.toBe(events[5].metadata.hash);
  expect((await verifyChain(events)).broken?.position).toBe('8');
});

test('a missing event is found where its successor stands', async () => {
  const events = log(12).filter(({ position }) => position !== '5');
  expect((await verifyChain(events)).broken).toMatchObject({ position: '7', reason: 'revision 3 follows 1' });
});

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
