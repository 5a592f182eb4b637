import { expect, test } from 'vitest';
import { plans } from './plan.ts';
import { planRules } from './plan-rules.ts';

test('plus and pro show a logo and come by the reviews step, starter does neither', () => {
  expect(plans.map((plan) => [plan, planRules[plan]])).toEqual([
    ['starter', { logo: false, reviews: false }],
    ['plus', { logo: true, reviews: true }],
    ['pro', { logo: true, reviews: true }],
  ]);
});
