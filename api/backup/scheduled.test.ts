import { expect, test } from 'vitest';
import { restAfter } from './scheduled.ts';

/** What the begin of one backup is old when the next is complete: events of after that begin are in neither until then. */
const missingAfter = (took: number, nextTakes: number) => took + restAfter(took) + nextTakes;

test('backups that take a quarter of a minute leave no event of a minute ago behind', () => {
  for (const took of [0, 100, 5_000, 15_000]) expect(missingAfter(took, 15_000)).toBeLessThanOrEqual(60_000);
});

test('a backup that takes longer than that is followed by the next after a short rest', () => {
  for (const took of [45_000, 60_000, 3_600_000]) expect(restAfter(took)).toBe(5_000);
});

test('the rest is never longer than the distance that is asked for', () => {
  expect(restAfter(0, 10)).toBe(10);
  expect(restAfter(1_000, 10)).toBe(10);
});
