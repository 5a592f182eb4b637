import { type AnswerOf, request } from '#site/lib/http/api.ts';
import type { SessionUser } from '#site/lib/session/session-storage.ts';
import { $session, storeUser } from '#site/lib/session/session-store.ts';

/** The signed-in tradie and their business, as `GET /authenticate` answers. */
export type Profile = AnswerOf<'GET', '/authenticate'>['user'];

/** Fetches the profile and brings the session's flags up to date with it. */
export async function loadProfile(signal?: AbortSignal): Promise<Profile> {
  const { user } = await request('GET', '/authenticate', signal ? { signal } : {});
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
  const { closesAt, emailConfirmed, showsPhone } = profile;
  const businessName = bn.tradingName || bn.name;
  const isToFinish = !emailConfirmed || !showsPhone;
  const flags = { onboarding, plan, region, timeZone, slug, businessName, logo, base, closesAt, isToFinish };
  return { initials: initials(firstName, lastName), ...flags };
}

/** The upper-case first letters of both names. */
export function initials(firstName: string, lastName: string): string {
  return [firstName, lastName].map((name) => [...name.trim()][0]?.toUpperCase() ?? '').join('');
}
