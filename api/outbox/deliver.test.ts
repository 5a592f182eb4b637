import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffAfter } from './deliver.ts';

test('grows from four seconds to half an hour', () => {
  expect([1, 2, 3, 9, 10, 500].map((attempts) => backoffAfter(attempts, 0) / 1_000)).toEqual([
    4, 8, 16, 1_024, 1_800, 1_800,
  ]);
});

test('is taken back by half at most', () => {
  const attempts = fc.integer({ min: 1, max: 1_000 });
  const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  fc.assert(
    fc.property(attempts, random, (tries, chance) => {
      const [whole, taken] = [backoffAfter(tries, 0), backoffAfter(tries, chance)];
      expect(taken).toBeGreaterThanOrEqual(Math.floor(whole / 2));
      expect(taken).toBeLessThanOrEqual(whole);
    }),
  );
});
