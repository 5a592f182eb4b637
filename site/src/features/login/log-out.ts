import { storedChanges } from '#site/jobs/changes/stored-changes.ts';
import { waitingPhotos } from '#site/jobs/changes/stored-photos.ts';
import { draftsEverywhere } from '#site/lib/offline/drafts.ts';
import { accountOf, announceSessionEnd } from '#site/lib/session/session-storage.ts';
import { $session, dropSession } from '#site/lib/session/session-store.ts';
import { dropStored, isTyped, isWay } from '#site/lib/stored-values.ts';
import { type LossQuestion, lossInWords } from './what-waits.ts';

/** Longest wait for the server, in milliseconds: a bad connection must not leave a session on this device. */
const timeout = 5_000;

/**
 * Asks about what was not sent, removes it, here and in the other tabs, revokes the session on the server, drops it and goes to the
 * login. What waits of other accounts stays.
 */
async function logOut(): Promise<void> {
  const token = $session.get()?.token;
  if (token) {
    await forget(accountOf(token));
    // Before the request: the other tabs' next one would be refused as that of a session that timed out.
    announceSessionEnd(token);
    await fetch('/api/authenticate/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeout),
    }).catch(() => {});
  }
  await dropSession();
  // What was read, seen and chosen on this device.
  dropStored((key) => isTyped(key) || isWay(key));
  location.replace('/login');
}

/** Removes what waits of an account once that is agreed: what was counted, and nothing that comes to it meanwhile. */
async function forget(account: string): Promise<void> {
  const [changes, photos, drafts] = await Promise.all([
    storedChanges.ids(account).catch(() => []),
    waitingPhotos.ids(account).catch(() => []),
    draftsEverywhere(account),
  ]);
  const counts = { changes: changes.length, photos: photos.length, drafts: drafts.forms };
  const question = lossInWords(counts);
  if (question) await agreed(question);
  drafts.remove();
  await storedChanges.forget(changes).catch(() => {});
  await waitingPhotos.forget(photos).catch(() => {});
}

/** Resolves once the user logs out for all that; the other way leads back to the jobs. */
function agreed({ title, texts, leave }: LossQuestion): Promise<void> {
  const place = document.querySelector('.lost');
  const question = place?.querySelector('h1');
  if (!place || !question) return Promise.resolve();
  // It was the page's state in words, and is its heading now.
  question.removeAttribute('role');
  question.textContent = title;
  const actions = make('div', 'lost__do', '');
  const stay = make('a', 'btn btn--primary btn--lg', 'Stay logged in');
  stay.href = '/';
  const go = make('button', 'btn btn--secondary btn--lg', leave);
  actions.append(stay, go);
  place.append(...texts.map((text) => make('p', 'lede', text)), actions);
  stay.focus();
  return new Promise((resolve) => go.addEventListener('click', () => resolve(), { once: true }));
}

function make<Tag extends 'p' | 'div' | 'a' | 'button'>(
  tag: Tag,
  className: string,
  textContent: string,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { className, textContent });
}

void logOut();
