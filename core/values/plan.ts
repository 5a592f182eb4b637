/** The three plans. They arrive as words or as 0, 1, 2; words are stored. */
export const plans = ['starter', 'plus', 'pro'] as const;
export type Plan = (typeof plans)[number];

/** `plus`, `pro`, 1 or 2; anything else is starter, as the registration call reads its query parameter. */
export function planFrom(value: unknown): Plan {
  return (
    plans.find((plan, number) => value === plan || value === number || value === String(number)) ?? 'starter'
  );
}
