import type { ThemeColour } from '#core/values/theme-colour.ts';
import { request } from './api.ts';
import { type Profile, sessionUser } from './profile.ts';
import { rememberUser } from './session-store.ts';

/** What may change of the business and its owner. What is left out stays. */
export type ProfileChange = Readonly<{
  bn?: Readonly<{ bn?: string; tradingName?: string }>;
  firstName?: string;
  lastName?: string;
  intro?: string;
  onboarding?: false;
}>;

export type Branding = Readonly<{ slug: string | null; theme: ThemeColour; logo: string | null }>;

/** `logo` is a data URL; null takes the logo away. What is left out stays. */
export type BrandingChange = Readonly<{ slug?: string; theme?: ThemeColour; logo?: string | null }>;

/** Saves details and merges what was saved into the session. Throws `ApiError` with the message of each bad field. */
export async function saveProfile(change: ProfileChange): Promise<Profile> {
  const { user } = await request<{ user: Profile }>('PUT', '/settings/profile', { body: change });
  rememberUser(sessionUser(user));
  return user;
}

export async function saveIntro(intro: string): Promise<void> {
  await request('PUT', '/settings/intro', { body: { intro } });
}

export async function saveBranding(change: BrandingChange): Promise<Branding> {
  const { details } = await request<{ details: Branding }>('PUT', '/settings/branding', { body: change });
  return details;
}

/** Whether the business may have this address. `slug` is the text as it would be written. */
export async function checkSlug(
  text: string,
  signal: AbortSignal,
): Promise<Readonly<{ available: boolean; slug: string }>> {
  const query = new URLSearchParams({ q: text });
  return request('GET', `/settings/branding/slug?${query}`, { signal });
}
