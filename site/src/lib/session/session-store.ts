import { atom, type ReadableAtom } from 'nanostores';
import type { Region } from '#core/values/region.ts';
import { indexedCopies } from '#site/lib/offline/copy-store.ts';
import {
  clearSession,
  type LoginError,
  leaveForLogin,
  readSession,
  type Session,
  type SessionUser,
  sessionKey,
  writeSession,
} from './session-storage.ts';

const session = atom<Session | null>(typeof window === 'undefined' ? null : readSession());

/** Who is signed in on this page; null before sign-in and after sign-out. */
export const $session: ReadableAtom<Session | null> = session;

// What another tab stored of the same account is read here too; another account is the guard's business.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    const now = key === sessionKey ? readSession() : null;
    if (now && now.token === session.get()?.token) session.set(now);
  });
}

/** The country of who is signed in, as phone numbers are read and shown here; null where it is not known. */
export function ownRegion(): Region | null {
  return session.get()?.user?.region ?? null;
}

/** Stores a fresh session. What was read under another one goes; what another account typed waits for it. */
export function signIn(next: Session): void {
  if (next.token !== session.get()?.token) void clearCopies();
  writeSession(next);
  session.set(next);
}

/** Adds the user of a profile to the session. */
export function storeUser(user: SessionUser): void {
  const current = session.get();
  if (current) signIn({ ...current, user });
}

/** Removes the session from this device and goes to the login. */
export function endSession(error?: LoginError): void {
  void dropSession();
  leaveForLogin(error);
}

/** Removes the session from this device and all that was read under it, without going anywhere. */
export async function dropSession(): Promise<void> {
  clearSession();
  session.set(null);
  await clearCopies();
}

/** Where the browser has no database there are none. */
const clearCopies = (): Promise<void> => indexedCopies.clear().catch(() => {});
