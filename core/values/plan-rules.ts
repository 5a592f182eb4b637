import type { Plan } from './plan.ts';

/** What a business may do on its plan. */
export type PlanRules = Readonly<{
  /** Shows a logo, on its public page and in the product. */
  logo: boolean;
  /** Comes by the reviews step while setting up. */
  reviews: boolean;
}>;

/** What each plan may do. This table alone says so; the server holds everybody to it. */
export const planRules: Readonly<Record<Plan, PlanRules>> = {
  starter: { logo: false, reviews: false },
  plus: { logo: true, reviews: true },
  pro: { logo: true, reviews: true },
};
