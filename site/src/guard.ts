import { appearanceKey, applyAppearance } from '#site/lib/appearance.ts';
import { tellOfDrafts } from '#site/lib/offline/drafts.ts';
import {
  clearSession,
  leaveForLogin,
  onSessionEnded,
  readToken,
  sessionKey,
} from '#site/lib/session/session-storage.ts';

// Before anything is painted, so that no other colours flash by.
applyAppearance();

// It stands in the head of every signed-in page, so that nothing is painted for a visitor without a token.
const token = readToken();
if (!token) leaveForLogin();

// A page that comes back from the back/forward cache was painted for the user who was signed in then.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) recheck();
});
window.addEventListener('storage', (event) => {
  if (event.key === appearanceKey) applyAppearance();
  if (event.key === sessionKey || event.key === null) recheck();
});
tellOfDrafts();
onSessionEnded((ended) => {
  if (readToken() === ended) clearSession();
  recheck();
});

function recheck(): void {
  const now = readToken();
  if (!now) leaveForLogin('signed-out-elsewhere');
  else if (now !== token) location.reload();
}
