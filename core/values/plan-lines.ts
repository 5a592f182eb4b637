import { type Plan, type PlanRules, planRules, plans } from './product.ts';

/** What each plan is called. */
export const planNames: Readonly<Record<Plan, string>> = { starter: 'Starter', plus: 'Plus', pro: 'Pro' };

/** What a rule gives and what its absence takes, in the words of `planLine`; null where a tradie sees no difference. */
const given: Readonly<Record<keyof PlanRules, Readonly<Record<'with' | 'without', string>> | null>> = {
  logo: { with: 'with your logo', without: 'without a logo' },
  // The step has nothing to show yet, and leads on by itself.
  reviews: null,
};

/** What a plan is, in one line that needs no other and stands beside its name: it follows from what `planRules` grants. */
export function planLine(plan: Plan): string {
  const line = `Your jobs, your schedule, and a job form ${seen(plan)}.`;
  const before = plans[plans.indexOf(plan) - 1];
  return before && seen(before) === seen(plan) ? `${line} The same as ${planNames[before]} for now.` : line;
}

function seen(plan: Plan): string {
  const rules = Object.entries(planRules[plan]) as [keyof PlanRules, boolean][];
  return rules.flatMap(([rule, isGiven]) => given[rule]?.[isGiven ? 'with' : 'without'] ?? []).join(', ');
}
