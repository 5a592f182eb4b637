import { type AnswerOf, ApiError, type BodyOf, type QueryOf, request } from '#site/lib/http/api.ts';
import { query } from '#site/lib/http/query.ts';
import { storeUser } from '#site/lib/session/session-store.ts';
import { loadProfile, type Profile, sessionUser } from './profile.ts';

/** The signed-in tradie and their business. */
export const profileQuery = query('profile', loadProfile);

/** What may change of the business and its owner. What is left out stays. */
export type ProfileChange = BodyOf<'PUT', '/settings/profile'>;

export type Branding = AnswerOf<'PUT', '/settings/branding'>['details'];

/** `logo` is a data URL; null takes the logo away. What is left out stays. */
export type BrandingChange = BodyOf<'PUT', '/settings/branding'>;

/** Saves details and merges what was saved into the session. Throws `ApiError` with the message of each bad field. */
export async function saveProfile(change: ProfileChange): Promise<Profile> {
  const { user } = await request('PUT', '/settings/profile', { body: change });
  storeUser(sessionUser(user));
  return user;
}

export async function saveIntro(intro: string): Promise<void> {
  await request('PUT', '/settings/intro', { body: { intro } });
}

export async function saveBranding(change: BrandingChange): Promise<Branding> {
  const { details } = await request('PUT', '/settings/branding', { body: change });
  return details;
}

/** Whether an address is free for the business, breaks the rule, or is another's. */
export type SlugAnswer = 'available' | 'unavailable' | 'taken';

/** Asks whether the business may have this address. `taken` means the same as `available: false` with its title. */
export async function checkSlug(text: string, signal: AbortSignal): Promise<SlugAnswer> {
  const query = new URLSearchParams({ q: text } satisfies QueryOf<'GET', '/settings/branding/slug'>);
  try {
    const path = `/settings/branding/slug?${query}` as const;
    const checked = await request('GET', path, { signal });
    if (checked.available) return 'available';
    return checked.title === undefined ? 'unavailable' : 'taken';
  } catch (error) {
    if (error instanceof ApiError && error.payload.code === 'taken') return 'taken';
    throw error;
  }
}
