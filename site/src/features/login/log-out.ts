import { waitingPhotos } from '#site/jobs/photos/waiting-photos.ts';
import { storedChanges } from '#site/jobs/waiting/stored-changes.ts';
import { changesMark, isMarked, photosMark, removeDraftsEverywhere } from '#site/lib/offline/drafts.ts';
import { announceSessionEnd } from '#site/lib/session/session-storage.ts';
import { $session, dropSession } from '#site/lib/session/session-store.ts';

/** Longest wait for the server, in milliseconds: a bad connection must not leave a session on this device. */
const timeout = 5_000;

/** Removes what was typed, here and in the other tabs, revokes the session on the server, drops it and goes to the login. */
async function logOut(): Promise<void> {
  const token = $session.get()?.token;
  await askForChanges();
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

/** Changes of jobs that were not sent are lost with the session: how many is asked first. */
async function askForChanges(): Promise<void> {
  if (!isMarked(changesMark)) return;
  const count = await storedChanges.count().catch(() => 0);
  if (count > 0) await agreed(count);
  await storedChanges.clear().catch(() => {});
}

/** Resolves once the user logs out for all that; the other way leads back to the jobs. */
function agreed(count: number): Promise<void> {
  const place = document.querySelector('.lost');
  const question = place?.querySelector('h1');
  if (!place || !question) return Promise.resolve();
  const [first, lost, go, them] =
    count === 1
      ? ['1 change is not sent yet', 'It is lost', 'it goes by itself', 'it']
      : [`${count} changes are not sent yet`, 'They are lost', 'they go by themselves', 'them'];
  // It was the page's state in words, and is its heading now.
  question.removeAttribute('role');
  question.textContent = first;
  const text = `${lost} if you log out. Stay, and ${go} when the signal is back.`;
  const actions = make('div', 'lost__do', '');
  const stay = make('a', 'btn btn--primary btn--lg', 'Stay logged in');
  stay.href = '/';
  const leave = make('button', 'btn btn--secondary btn--lg', `Log out and lose ${them}`);
  actions.append(stay, leave);
  place.append(make('p', 'lede', text), actions);
  stay.focus();
  return new Promise((resolve) => leave.addEventListener('click', () => resolve(), { once: true }));
}

function make<Tag extends 'p' | 'div' | 'a' | 'button'>(
  tag: Tag,
  className: string,
  textContent: string,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { className, textContent });
}

/** Photos that were not sent are of no use to the next account. */
async function removePhotos(): Promise<void> {
  if (!isMarked(photosMark)) return;
  await waitingPhotos.clear().catch(() => {});
}

void logOut();
