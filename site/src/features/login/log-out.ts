import { forgetDraftsEverywhere } from '#site/lib/drafts.ts';
import { tellSessionEnded } from '#site/lib/session-ended.ts';
import { $session, forgetSession } from '#site/lib/session-store.ts';

/** Longest wait for the server, in milliseconds: nobody stays signed in on this device because the line is bad. */
const patience = 5_000;

/** Revokes the session on the server, forgets it and what was typed here, and goes to the login. */
export async function logOut(): Promise<void> {
  const token = $session.get()?.token;
  if (token) {
    await fetch('/api/authenticate/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patience),
    }).catch(() => {});
  }
  forgetDraftsEverywhere();
  await forgetSession();
  if (token) tellSessionEnded(token);
  location.replace('/login');
}
