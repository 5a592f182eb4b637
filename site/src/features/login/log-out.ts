import { forgetDraftsEverywhere } from '#site/lib/drafts.ts';
import { tellSessionEnded } from '#site/lib/session-ended.ts';
import { $session, forgetSession } from '#site/lib/session-store.ts';

/** Longest wait for the server, in milliseconds: a bad connection must not leave a session on this device. */
const timeout = 5_000;

/** Forgets what was typed, tells the other tabs, revokes the session on the server, forgets it and goes to the login. */
export async function logOut(): Promise<void> {
  const token = $session.get()?.token;
  forgetDraftsEverywhere();
  if (token) {
    // Before the server hears of it: their next question would be refused as one of a session that timed out.
    tellSessionEnded(token);
    await fetch('/api/authenticate/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeout),
    }).catch(() => {});
  }
  await forgetSession();
  location.replace('/login');
}
