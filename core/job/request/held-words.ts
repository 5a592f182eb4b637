import type { HeldFor } from '#core/job/status/statuses.ts';

/** Why no alert was sent for a request, as its page says it. Lists do without: they load no more than they show. */
export const heldWords: Record<HeldFor, string> = {
  rush: 'Many requests came at once, so we did not alert you to this one. Accept it if it is genuine, else reject it.',
  unchecked:
    'We could not check that a person sent this, so we did not alert you to it. Accept it if it is genuine, else reject it.',
};
