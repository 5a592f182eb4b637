import type { ThemeColour } from '#core/values/business.ts';
import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import { request } from './http/api.ts';
import { initials } from './initials.ts';
import type { SessionUser } from './session/session-storage.ts';
import { $session, storeUser } from './session/session-store.ts';

/** The signed-in tradie and their business, as `GET /authenticate` answers. */
export type Profile = Readonly<{
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  initials: string;
  onboarding: boolean;
  type: Plan;
  region: Region;
  timeZone: string;
  slug: string | null;
  theme: ThemeColour;
  logo: string | null;
  intro: string;
  /** Where the tradie starts from, in degrees: the middle of the area of the registration; null for none. */
  base: Readonly<{ lat: number; lng: number }> | null;
  bn: Readonly<{
    bn: string | null;
    name: string;
    tradingName: string | null;
    country: Region;
    registered: boolean;
    status: string;
  }>;
}>;

/** Fetches the profile and brings the session's flags up to date with it. */
export async function loadProfile(signal?: AbortSignal): Promise<Profile> {
  const { user } = await request<{ user: Profile }>('GET', '/authenticate', signal ? { signal } : {});
  storeUser(sessionUser(user));
  return user;
}

/** Fetches the profile where a token came without its session, or with an older release's. */
export async function completeSession(): Promise<void> {
  const session = $session.get();
  if (session && (session.user?.businessName === undefined || session.user.base === undefined))
    await loadProfile();
}

/** The flags of a profile that the session stores. */
export function sessionUser(profile: Profile): SessionUser {
  const { firstName, lastName, onboarding, type: plan, region, timeZone, slug, logo, bn, base } = profile;
  const businessName = bn.tradingName || bn.name;
  const flags = { onboarding, plan, region, timeZone, slug, businessName, logo, base };
  return { initials: initials(firstName, lastName), ...flags };
}
