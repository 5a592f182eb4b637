import { type Plan, plans } from '#core/values/product.ts';
import { type Region, regions } from '#core/values/region.ts';
import { browserValues, tabsChannel, tabValues } from '#site/lib/browser-storage.ts';
import { draftPrefix } from '#site/lib/offline/drafts.ts';
import {
  isFlag,
  isNumber,
  isOneOf,
  isRecord,
  isText,
  orMissing,
  orNull,
  readShaped,
  type Shape,
} from '#site/lib/shape.ts';
import { isTimeZone } from '#site/lib/time/zone.ts';

/** Under this name the session survives a page change, in this browser alone. */
export const sessionKey = 'ute.session';

/** What the shell needs before any answer arrives: flags of the business, nothing about a customer. */
export type SessionUser = Readonly<{
  initials: string;
  onboarding: boolean;
  plan: Plan;
  region: Region;
  timeZone: string;
  slug: string | null;
  /** What customers know the business by; missing from a session of before it was stored. */
  businessName?: string;
  /** The path of the business's logo; null for none, missing from a session of before it was stored. */
  logo?: string | null;
  /** The tradie's base in degrees; null for none, missing from a session of before it was stored. */
  base?: Readonly<{ lat: number; lng: number }> | null;
  /** When the business is to be closed, an instant; null while it stays open, missing from a session of before it was stored. */
  closesAt?: string | null;
  /** Whether the email is not confirmed or no phone is on the public page; missing from a session of before it was stored. */
  isToFinish?: boolean;
}>;

/** `user` is missing until the profile has been fetched. */
export type Session = Readonly<{ token: string; rememberMe: boolean; user?: SessionUser }>;

/** The session of this tab, else of this browser; null where no user is signed in or the entry is damaged. */
export function readSession(): Session | null {
  const stored = readStored();
  if (!stored) return null;
  const { token, rememberMe, user } = stored;
  // What is not as it should be is fetched again.
  return isUser(user) ? { token, rememberMe, user } : { token, rememberMe };
}

/**
 * The token of that session alone, for what runs before the first paint: to look at the rest takes the time zones of the
 * engine, whose first use costs a slow phone 90 ms.
 */
export function readToken(): string | null {
  return readStored()?.token ?? null;
}

/** Stores the session for good where the user asked for it and the browser has room, else for as long as the tab lives. */
export function writeSession(session: Session): void {
  const text = JSON.stringify(session);
  // Written before the other is removed: another tab must never see a moment without a session.
  if (session.rememberMe && browserValues.setItem(sessionKey, text)) tabValues.removeItem(sessionKey);
  else {
    tabValues.setItem(sessionKey, text);
    browserValues.removeItem(sessionKey);
  }
}

/** Removes the session and what the product cached in this tab, except what the user typed. */
export function clearSession(): void {
  browserValues.removeItem(sessionKey);
  for (const key of tabValues.names()) {
    if (key.startsWith('ute.') && !key.startsWith(draftPrefix)) tabValues.removeItem(key);
  }
}

/** Whose token it is by its own content, '' where it has none: a name for what this browser stores, never a proof. */
export function accountOf(token: string): string {
  try {
    const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    return String(JSON.parse(atob(claims)).sub);
  } catch {
    return '';
  }
}

const isSession = isRecord<Pick<Session, 'token' | 'rememberMe'> & { user: unknown }>({
  ...{ token: isText, rememberMe: isFlag, user: (_): _ is unknown => true },
});
const isUser = isRecord({
  ...{ initials: isText, onboarding: isFlag, plan: isOneOf(plans), region: isOneOf(regions) },
  ...{ timeZone: isTimeZone, slug: orNull(isText) },
  ...{ businessName: orMissing(isText), logo: orMissing(orNull(isText)) },
  base: orMissing(orNull(isRecord({ lat: isNumber, lng: isNumber }))),
  closesAt: orMissing(orNull(isText)),
  isToFinish: orMissing(isFlag),
}) as Shape<SessionUser>;

function readStored() {
  for (const values of [tabValues, browserValues]) {
    const stored = readShaped(values.getItem(sessionKey), isSession);
    if (stored?.token) return stored;
  }
  return null;
}

const channelName = 'ute.session-ended';

/** Announces to the other tabs that the session of this token is over: to a tab with a storage of its own nothing else does. */
export function announceSessionEnd(token: string): void {
  const channel = tabsChannel(channelName);
  channel?.postMessage(token);
  channel?.close();
}

/** Calls back for each session that another tab has ended. */
export function onSessionEnded(listener: (token: string) => void): void {
  tabsChannel(channelName)?.addEventListener('message', ({ data }) => listener(String(data)));
}

/** True once the page is on its way to the login: nothing may be shown or asked for any more. */
export function isLeaving(): boolean {
  return document.documentElement.dataset.leaving !== undefined;
}

/** Hides the page and goes to the login, which brings the visitor back here afterwards. */
export function leaveForLogin(error?: LoginError): void {
  if (isLeaving()) return;
  const root = document.documentElement;
  root.dataset.leaving = '';
  root.style.visibility = 'hidden';
  location.replace(loginPath(ownPath(location.pathname + location.search), error));
}

/** `/login` with the way back and the reason; both are left out where they would be empty. */
function loginPath(next: string, error?: LoginError): string {
  const query = new URLSearchParams();
  if (error) query.set('error', error);
  if (next !== '/') query.set('next', next);
  const text = query.toString();
  return text ? `/login?${text}` : '/login';
}

/** The reasons that `/login?error=` may name. A link can pick one of these texts, never write its own. */
const loginErrors = {
  'session-timed-out': 'Session timed out',
  'signed-out-elsewhere': 'You were logged out in another tab',
} as const;

export type LoginError = keyof typeof loginErrors;

/** The text of a known reason, else null. The sentence itself counts as its own code. */
export function loginErrorText(code: string | null): string | null {
  if (!code) return null;
  if (Object.hasOwn(loginErrors, code)) return loginErrors[code as LoginError];
  return Object.values(loginErrors).find((text) => text === code) ?? null;
}

/**
 * A path of our own site, from text that may come from any link: one leading slash, no host, no
 * backslash, no control character. Anything else is the dashboard. Signing in never leads back to signing out.
 */
export function ownPath(text: string | null | undefined): string {
  if (!text || text.length > 2000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return '/';
  const url = new URL(text, 'https://own.invalid');
  if (url.origin !== 'https://own.invalid' || url.pathname.startsWith('//')) return '/';
  if (/^\/(login|logout)(\/|$)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** Under this name a registration that is under way survives the tab and the day. */
export const registrationKey = 'ute.registration';

/** `rid` is the secret that the server gave; `completionKey` names the one completion of it, however often it is tried. */
export type StoredRegistration = Readonly<{ rid: string; completionKey: string }>;

/** The registration of this browser, or of this tab; null where there is none or the entry is damaged. */
export function readRegistration(): StoredRegistration | null {
  const text = browserValues.getItem(registrationKey) ?? tabValues.getItem(registrationKey);
  return readShaped(text, isRegistration);
}

export function writeRegistration(stored: StoredRegistration): void {
  const text = JSON.stringify(stored);
  if (!browserValues.setItem(registrationKey, text)) tabValues.setItem(registrationKey, text);
}

export function removeRegistration(): void {
  for (const values of [browserValues, tabValues]) values.removeItem(registrationKey);
}

const isRegistration = isRecord<StoredRegistration>({ rid: isText, completionKey: isText });
