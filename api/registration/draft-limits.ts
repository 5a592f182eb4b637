import type { Deps } from '#api/deps.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { draftLife } from './drafts.ts';

/** Far more than somebody presses Next and Back, and what one history may grow to: it is read whole at every call. */
const OFTEN = { name: 'registration-changes', points: 120, seconds: 600 };
const EVER = { name: 'registration-changes-ever', points: 1_000, seconds: draftLife / 1_000 };

/** Counts a change of a draft, by its id. Throws 429 when there were too many, lately or at all. */
export function draftLimiter(deps: Deps): (registrationId: string) => Promise<void> {
  const [often, ever] = [sharedLimiter(deps, OFTEN), sharedLimiter(deps, EVER)];
  return async (registrationId) => {
    await often.consume(registrationId);
    await ever.consume(registrationId);
  };
}
