import { atom, type ReadableAtom } from 'nanostores';
import { copies } from './copies.ts';
import { forgetDrafts } from './drafts.ts';
import { leaveForLogin } from './leave-for-login.ts';
import type { LoginError } from './login-errors.ts';
import {
  accountOf,
  clearSession,
  readSession,
  type Session,
  type SessionUser,
  sessionKey,
  writeSession,
} from './session-storage.ts';

const session = atom<Session | null>(typeof window === 'undefined' ? null : readSession());

/** Who is signed in on this page; null before sign-in and after sign-out. */
export const $session: ReadableAtom<Session | null> = session;

// What another tab learnt of the same account is known here too; another account is the guard's business.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    const now = key === sessionKey ? readSession() : null;
    if (now && now.token === session.get()?.token) session.set(now);
  });
}

/** Stores a fresh session. What another user typed in this tab goes, and what was read under another session. */
export function signIn(next: Session): void {
  forgetDrafts(accountOf(next.token));
  if (next.token !== session.get()?.token) void copies.forget();
  writeSession(next);
  session.set(next);
}

/** Adds what the profile said to the session. */
export function rememberUser(user: SessionUser): void {
  const current = session.get();
  if (current) signIn({ ...current, user });
}

/** Forgets the session on this device and goes to the login. */
export function endSession(error?: LoginError): void {
  void forgetSession();
  leaveForLogin(error);
}

/** Forgets the session on this device and all that was read under it, without going anywhere. */
export async function forgetSession(): Promise<void> {
  clearSession();
  session.set(null);
  await copies.forget();
}
