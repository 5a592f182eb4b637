/** The product's name and its mascot's, in one place. */
export const product = { name: 'Ute', mascot: 'Kel' } as const;

/** For how many days the link in an alert answers its job. */
export const answerLinkDays = 3;

/** The three plans. They arrive as words or as 0, 1, 2; words are stored. */
export const plans = ['starter', 'plus', 'pro'] as const;
export type Plan = (typeof plans)[number];

/** `plus`, `pro`, 1 or 2; anything else is starter, as the registration call reads its query parameter. */
export function planFrom(value: unknown): Plan {
  return (
    plans.find((plan, number) => value === plan || value === number || value === String(number)) ?? 'starter'
  );
}

/** What a business may do on its plan. */
export type PlanRules = Readonly<{
  /** Shows a logo, on its public page and in the product. */
  logo: boolean;
  /** Comes by the reviews step while setting up. */
  reviews: boolean;
}>;

/** What each plan may do. This table alone decides; the server enforces it. */
export const planRules: Readonly<Record<Plan, PlanRules>> = {
  starter: { logo: false, reviews: false },
  plus: { logo: true, reviews: true },
  pro: { logo: true, reviews: true },
};

/** Of a conversation with the assistant: lengths in characters. */
export const chatLimits = {
  message: 500,
  problem: 'Write a message of up to 500 characters',
  /** How many exchanges of before go along with a message, the latest of them. */
  earlier: 6,
  /** What goes along of an answer of before: its words, and the jobs that it showed. */
  answer: 1_000,
  jobs: 10,
} as const;
