/** Why the tradie was not alerted to a request: too many came at once, or the bot check was unavailable. */
export const heldReasons = ['rush', 'unchecked'] as const;
export type HeldFor = (typeof heldReasons)[number];

/** How a tradie is told of it, on a card and with the job. */
export const heldBadge = 'Held for review';
export const heldWords: Record<HeldFor, string> = {
  rush: 'Many requests came at once, so we did not alert you to this one. Accept it if it is genuine, else reject it.',
  unchecked:
    'We could not check that a person sent this, so we did not alert you to it. Accept it if it is genuine, else reject it.',
};
