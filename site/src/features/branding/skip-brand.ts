import { $session } from '#site/lib/session/session-store.ts';
import { destination } from './branding-steps.ts';

/** The page is prerendered without any user's data: where skipping leads is known from this browser's session. */
export function leadSkip(): void {
  $session.subscribe((session) => {
    const user = session?.user;
    const skip = document.querySelector<HTMLAnchorElement>('[data-skip]');
    if (user && skip) skip.href = destination({ type: user.plan, onboarding: user.onboarding });
  });
}
