import { mayHavePhotos, removeDraftsEverywhere } from '#site/lib/offline/drafts.ts';
import { announceSessionEnd } from '#site/lib/session/session-storage.ts';
import { $session, dropSession } from '#site/lib/session/session-store.ts';

/** Longest wait for the server, in milliseconds: a bad connection must not leave a session on this device. */
const timeout = 5_000;

/** Removes what was typed, here and in the other tabs, revokes the session on the server, drops it and goes to the login. */
async function logOut(): Promise<void> {
  const token = $session.get()?.token;
  removeDraftsEverywhere();
  await removePhotos();
  if (token) {
    // Before the request: their next one would be refused as that of a session that timed out.
    announceSessionEnd(token);
    await fetch('/api/authenticate/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeout),
    }).catch(() => {});
  }
  await dropSession();
  location.replace('/login');
}

/** Photos that were not sent are of no use to the next account. */
async function removePhotos(): Promise<void> {
  if (!mayHavePhotos()) return;
  const { waitingPhotos } = await import('#site/jobs/photos/waiting-photos.ts');
  await waitingPhotos.clear().catch(() => {});
}

void logOut();
