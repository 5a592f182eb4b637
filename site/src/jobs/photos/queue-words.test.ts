import { expect, test } from 'vitest';
import type { QueuedPhoto } from '#site/jobs/changes/photo-queue.ts';
import { followQueue, nothingSent, queueInWords } from './queue-words.ts';

test('photos wait for signal only where there is none', () => {
  expect(queueInWords({ sent: 0, sending: 1, waiting: 2 }, true)).toBe('1 sending, 2 waiting');
  expect(queueInWords({ sent: 0, sending: 0, waiting: 2 }, false)).toBe('2 waiting for signal');
});

test('what went up is named while others are still to go', () => {
  expect(queueInWords({ sent: 1, sending: 1, waiting: 1 }, true)).toBe('1 sent, 1 sending, 1 waiting');
  expect(queueInWords({ sent: 3, sending: 0, waiting: 0 }, true)).toBeNull();
});

test('what leaves the queue was sent, unless it was refused; with an empty queue the count begins again', () => {
  const queued = (photoId: string, problem?: string) =>
    ({ photoId, ...(problem && { problem }) }) as QueuedPhoto;
  const [a, b, c] = [queued('a'), queued('b'), queued('c')];
  const all = followQueue(nothingSent, [a, b, c]);
  expect(all.sent).toBe(0);
  expect(followQueue(all, [a, b, c])).toBe(all);
  const oneGone = followQueue(all, [b, c]);
  expect(oneGone.sent).toBe(1);
  const refused = followQueue(oneGone, [queued('b', 'No picture'), c]);
  expect(followQueue(refused, [c]).sent).toBe(1);
  expect(followQueue(refused, [queued('b', 'No picture')])).toBe(nothingSent);
});
