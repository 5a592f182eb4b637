import type { LoginError } from './login-errors.ts';
import { ownPath } from './own-path.ts';

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
export function loginPath(next: string, error?: LoginError): string {
  const query = new URLSearchParams();
  if (error) query.set('error', error);
  if (next !== '/') query.set('next', next);
  const text = query.toString();
  return text ? `/login?${text}` : '/login';
}
