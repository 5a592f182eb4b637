import { type Plan, planRules } from '#core/values/product.ts';
import { loadProfile } from '#site/lib/profile.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { type CarriedToast, carryToast } from '#site/ui/toast/carried-toast.ts';

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

/** The page is prerendered without any user's data: where skipping leads is known from this browser's session. */
export function leadSkip(): void {
  $session.subscribe((session) => {
    const user = session?.user;
    const skip = document.querySelector<HTMLAnchorElement>('[data-skip]');
    if (user && skip) skip.href = destination({ type: user.plan, onboarding: user.onboarding });
  });
}

/**
 * Leads on from `/profile/reviews`, by what the server answers, or what was last stored where it cannot be asked. The toasts
 * of the page before go along.
 */
export async function leaveReviewsStep(toasts: readonly CarriedToast[]): Promise<void> {
  const profile = await loadProfile().catch(() => null);
  const user = $session.get()?.user;
  const known = profile ?? { type: user?.plan ?? 'starter', onboarding: user?.onboarding ?? false };
  for (const { kind, message } of toasts) carryToast(kind, message);
  location.replace(reviewsDestination(known));
}
