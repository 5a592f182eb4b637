import { expect, test } from 'vitest';
import { payloads, readPayload } from './notify.ts';
import type { Change } from './projection.ts';

const change = (n: number): Change => ({
  businessId: `01990c0d-0000-7000-8000-${String(n % 7).padStart(12, '0')}`,
  kind: 'job',
  id: `01990c0d-1111-7000-8000-${String(n).padStart(12, '0')}`,
});

test('a thousand changes come through in payloads that Postgres takes', () => {
  const changes = Array.from({ length: 1_000 }, (_, n) => change(n));
  const texts = payloads({ projection: 'jobs', position: '42', changes });
  expect(texts.every((text) => Buffer.byteLength(text) < 8_000)).toBe(true);
  expect(texts.length).toBeLessThan(15);
  const told = texts.map(readPayload);
  expect(told.flatMap((one) => one?.changes)).toEqual(changes);
  expect(told.every((one) => one?.position === '42' && one.projection === 'jobs')).toBe(true);
});

test('a move without changes is one payload, and a change is announced once', () => {
  expect(payloads({ projection: 'accounts', position: '7', changes: [] })).toHaveLength(1);
  const [text = ''] = payloads({ projection: 'accounts', position: '7', changes: [change(1), change(1)] });
  expect(readPayload(text)?.changes).toEqual([change(1)]);
});

test('a text that is not ours is no announcement', () => {
  expect(readPayload('hello')).toBeNull();
  expect(readPayload('null')).toBeNull();
  expect(readPayload('{}')).toBeNull();
});
