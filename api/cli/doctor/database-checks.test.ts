import { expect, test } from 'vitest';
import { skewOf } from './database-checks.ts';

test('what may be the time that the question was on its way says nothing of a clock', () => {
  expect(skewOf([7_000, 7_999], [4_000, 9_000])).toBe(0);
  expect(skewOf([9_500, 9_500], [4_000, 9_000])).toBe(500);
  expect(skewOf([2_000, 2_999], [4_000, 9_000])).toBe(-1_001);
});
