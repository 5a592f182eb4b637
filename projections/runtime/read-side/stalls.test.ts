import { afterEach, expect, test } from 'vitest';
import type { ReaderPosition } from '#core/event-store/log-origin.ts';
import type { LogFields } from '#projections/runtime/failure.ts';
import { type StallWatch, watchStalls } from './stalls.ts';

let readers: ReaderPosition[];
let head = '10';
let lost: ReaderPosition[] = [];
let watching: StallWatch | undefined;
afterEach(() => watching?.stop());

function watch(): LogFields[] {
  const lines: LogFields[] = [];
  const logger = { info() {}, warn() {}, error: (fields: LogFields) => void lines.push(fields) };
  watching = watchStalls({
    ...{ readers: async () => readers, head: async () => head, origin: { lost: async () => lost } },
    ...{ logger, every: 2, after: 20 },
  });
  return lines;
}

test('a reader that stands still while the log goes on is named with its reason, in the log once and for readiness', async () => {
  readers = [
    { name: 'outbox', position: '51' },
    { name: 'jobs', position: '172721' },
    { name: 'accounts', position: '7' },
  ];
  head = '172721';
  lost = [{ name: 'outbox', position: '51' }];
  const lines = watch();
  await expect
    .poll(() => watching?.stalls())
    .toEqual([
      { name: 'outbox', position: '51', head, reason: 'position-not-in-log' },
      { name: 'accounts', position: '7', head, reason: 'no-progress' },
    ]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    ...{ event: 'follower-stalled', follower: 'outbox', position: '51', reason: 'position-not-in-log' },
    remedy: expect.stringContaining('ute log accept-restored'),
  });
});

test('one that is ahead of a log that lost events is named too', async () => {
  readers = [{ name: 'outbox', position: '20' }];
  head = '10';
  lost = readers;
  watch();
  await expect
    .poll(() => watching?.stalls())
    .toMatchObject([{ name: 'outbox', reason: 'position-not-in-log' }]);
});

test('one that advances, however far behind, is not named, and a stall that ends is forgotten', async () => {
  head = '1000000';
  lost = [];
  let position = 0;
  let isMoving = false;
  readers = [];
  Object.defineProperty(readers, '0', {
    get: () => ({ name: 'jobs', position: String(isMoving ? ++position : position) }),
  });
  watch();
  await expect.poll(() => watching?.stalls()).toHaveLength(1);
  isMoving = true;
  await expect.poll(() => watching?.stalls()).toEqual([]);
});
