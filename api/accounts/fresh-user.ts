import { loadAccount } from './load-account.ts';
import { type ProfileDeps, presentProfile, profileOf } from './sign-in/profile.ts';

/** The signed-in person as the site's session knows them, with what was just changed: the person from their own stream. */
export async function freshUser(deps: ProfileDeps, accountId: string) {
  const profile = await profileOf(deps, accountId);
  const { account } = await loadAccount(deps, accountId);
  const { firstName, lastName, email, phone } = account;
  return presentProfile({ ...profile, user: { firstName, lastName, email, phone } });
}
