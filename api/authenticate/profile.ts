import { getProfile, type Profile } from '#projections/accounts/read.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../http/http-errors.ts';

/** The signed-in person and business as the site's session knows them (spec.md §3, Session). */
export async function userOf(deps: Deps, accountId: string) {
  return present((await getProfile(deps.db, accountId)) ?? (await waitForProfile(deps, accountId)));
}

/** A session is only opened for an account that is in the log, so a missing profile is a read model on its way. */
async function waitForProfile(deps: Deps, accountId: string): Promise<Profile> {
  await deps.readSide.waitFor(['accounts'], await deps.store.head());
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw unavailable();
  return profile;
}

function present(profile: Profile) {
  const { firstName, lastName, email, phone } = profile.user;
  const { onboarding, plan, region, timeZone, slug, theme, logo, intro, name, tradingName } = profile;
  return {
    ...{ firstName, lastName, email, phone },
    initials: `${[...firstName][0] ?? ''}${[...lastName][0] ?? ''}`.toUpperCase(),
    ...{ onboarding, type: plan, region, timeZone, slug, theme, logo, intro },
    bn: { bn: profile.bn, name, tradingName, country: region },
  };
}
