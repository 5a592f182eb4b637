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
