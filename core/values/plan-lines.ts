import type { Plan } from './product.ts';

/** What each plan is, in one line each. */
export const planLines: Readonly<Record<Plan, string>> = {
  starter: 'Starter: your job form, your jobs and your schedule, without a logo.',
  plus: 'Plus: all of Starter, and your logo.',
  pro: 'Pro: all of Plus; nothing more yet.',
};
