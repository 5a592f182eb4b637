import { expect, test } from 'vitest';
import { planFrom } from './plan.ts';

test.each([
  ['starter', 'starter'],
  ['plus', 'plus'],
  ['pro', 'pro'],
  [0, 'starter'],
  [1, 'plus'],
  ['2', 'pro'],
  ['PRO', 'starter'],
  [3, 'starter'],
  [undefined, 'starter'],
  ['__proto__', 'starter'],
] as const)('%j is the %s plan', (value, plan) => {
  expect(planFrom(value)).toBe(plan);
});
