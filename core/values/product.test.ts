import { expect, test } from 'vitest';
import { planFrom, planRules, plans } from './product.ts';

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

test('plus and pro show a logo and come by the reviews step, starter does neither', () => {
  expect(plans.map((plan) => [plan, planRules[plan]])).toEqual([
    ['starter', { logo: false, reviews: false }],
    ['plus', { logo: true, reviews: true }],
    ['pro', { logo: true, reviews: true }],
  ]);
});
