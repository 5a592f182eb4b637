import { loadProfile } from '#site/lib/profile.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { reviewsDestination } from './branding-steps.ts';

/** Leads on from `/profile/reviews`, by what the server answers, or what was last stored where it cannot be asked. */
export async function leaveReviewsStep(): Promise<void> {
  const profile = await loadProfile().catch(() => null);
  const user = $session.get()?.user;
  const known = profile ?? { type: user?.plan ?? 'starter', onboarding: user?.onboarding ?? false };
  location.replace(reviewsDestination(known));
}
