import type { Deps } from '#api/deps.ts';
import { unavailable } from '#api/http/answers.ts';
import { planRules } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import { logoPath } from '#core/values/uploads.ts';
import { getProfile, type Profile } from '#projections/accounts/read.ts';

/** What a profile is read with. */
export type ProfileDeps = Pick<Deps, 'db' | 'store' | 'readSide'>;

/** The signed-in person and business as the site's session knows them. */
export async function userOf(deps: ProfileDeps, accountId: string) {
  return presentProfile(await profileOf(deps, accountId));
}

/** The profile behind it, as the read model has it. */
export async function profileOf(deps: ProfileDeps, accountId: string): Promise<Profile> {
  return (await getProfile(deps.db, accountId)) ?? (await waitForProfile(deps, accountId));
}

/** A session is only opened for an account that is in the log, so a missing profile is a read model on its way. */
async function waitForProfile(deps: ProfileDeps, accountId: string): Promise<Profile> {
  await deps.readSide.waitFor(['accounts'], await deps.store.head());
  const profile = await getProfile(deps.db, accountId);
  if (!profile) throw unavailable();
  return profile;
}

/**
 * What the register of a country calls a business that is registered. Only such a business can register with the product or
 * become the number of one, so it is the status of every business here, as of that moment.
 */
const inRegister: Readonly<Record<Region, string>> = { au: 'Active', nz: 'Registered' };

/** A profile as the site takes it: `logo` is a path to the picture, `rules` what the plan may do. */
export function presentProfile(profile: Profile) {
  const { firstName, lastName, email, phone } = profile.user;
  const { onboarding, plan, region, timeZone, slug, theme, logo, intro, name, tradingName, base } = profile;
  const { emailConfirmed, showsPhone } = profile;
  const closesAt = profile.closesAt?.toISOString() ?? null;
  return {
    ...{ firstName, lastName, email, phone },
    initials: `${[...firstName][0] ?? ''}${[...lastName][0] ?? ''}`.toUpperCase(),
    ...{ onboarding, type: plan, region, timeZone, slug, theme, intro, base, closesAt },
    ...{ emailConfirmed, showsPhone },
    ...{ logo: logoPath(logo), rules: planRules[plan] },
    bn: { bn: profile.bn, name, tradingName, country: region, registered: true, status: inRegister[region] },
  };
}
