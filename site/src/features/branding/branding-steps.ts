import { type Plan, planRules } from '#core/values/product.ts';

/** The steps of `/profile/brand` in their order. */
export type BrandStep = 'logo' | 'theme';

/** Where the setup begins: with the logo on the plans that have one. */
export function firstStep(plan: Plan): BrandStep {
  return planRules[plan].logo ? 'logo' : 'theme';
}

/** Where the setup leads when it is finished or skipped. */
export function destination({ type, onboarding }: Readonly<{ type: Plan; onboarding: boolean }>): string {
  return planRules[type].reviews && onboarding ? '/profile/reviews' : '/profile';
}

/** Where `/profile/reviews` leads on to. */
export function reviewsDestination({
  type,
  onboarding,
}: Readonly<{ type: Plan; onboarding: boolean }>): string {
  return type === 'starter' && onboarding ? '/profile/form' : '/';
}
