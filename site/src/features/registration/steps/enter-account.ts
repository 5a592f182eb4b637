import { dropRegistration } from '#site/features/registration/registration-store.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { removeRegistration } from '#site/lib/registration-id.ts';
import { signIn } from '#site/lib/session/session-store.ts';

/** The registration is done with: signs in to its account, and goes on to the set-up of the profile. */
export function enterAccount({ token, user }: Readonly<{ token: string; user: Profile }>): void {
  dropRegistration();
  removeRegistration();
  signIn({ token, rememberMe: true, user: sessionUser(user) });
  location.replace('/profile/intro');
}
