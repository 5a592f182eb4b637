import { expect, test } from 'vitest';
import { planLine, planNames } from './plan-lines.ts';
import { planRules, plans } from './product.ts';

test('each plan is one line beside its name', () => {
  expect(plans.map((plan) => `${planNames[plan]}: ${planLine(plan)}`)).toEqual([
    'Starter: Your jobs, your schedule, and a job form without a logo.',
    'Plus: Your jobs, your schedule, and a job form with your logo.',
    'Pro: Your jobs, your schedule, and a job form with your logo. The same as Plus for now.',
  ]);
});

test.each(plans)('the line of %s promises what the plan may do, and no more', (plan) => {
  const line = planLine(plan);
  expect(line.includes('with your logo')).toBe(planRules[plan].logo);
  expect(line.includes('without a logo')).toBe(!planRules[plan].logo);
  const before = plans[plans.indexOf(plan) - 1];
  const isMore = !before || planRules[before].logo !== planRules[plan].logo;
  expect(line.includes('The same as')).toBe(!isMore);
});
