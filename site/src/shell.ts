import { sendWaiting } from '#site/jobs/changes/wait-for-signal.ts';
import { watchLeads } from '#site/jobs/leads/watch-leads.ts';
import { storageTrouble, tabValues } from '#site/lib/browser-storage.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { isMarked, photosMark } from '#site/lib/offline/marks.ts';
import { completeSession } from '#site/lib/profile.ts';
import { serviceWorkers } from '#site/lib/secure/service-workers.ts';
import type { SessionUser } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import type { TrustedTypes } from '#site/lib/trusted-types.ts';
import { awaitToasts, toast } from '#site/ui/toast/toast.ts';

/** What every signed-in page does, whatever it shows. Its script calls this first. */
export function startShell(): void {
  watchForFaults();
  awaitToasts();
  showUser();
  void completeSession();
  void sayStorage().catch(() => {});
  cachePagesForDeadSpots();
  // Photos of an earlier page go up from whatever page is open.
  if (isMarked(photosMark)) {
    void import('#site/jobs/changes/photo-queue.ts').then(({ photoQueue }) => photoQueue.start());
  }
  sendWaiting();
  watchLeads();
}

const saidKey = 'ute.storage-said';

/** Says once in a tab what this browser does not store. */
async function sayStorage(): Promise<void> {
  const trouble = storageTrouble();
  if ((!trouble && isSecureContext) || tabValues.getItem(saidKey)) return;
  const { storageWords, plainHttpWords } = await import('#site/ui/storage-words.ts');
  toast.warning(trouble ? storageWords[trouble] : plainHttpWords);
  tabValues.setItem(saidKey, '1');
}

/** The page is prerendered without any user's data: initials and logo come from this browser's session. */
function showUser(): void {
  $session.subscribe((session) => {
    const user = session?.user;
    if (!user) return;
    for (const avatar of document.querySelectorAll('[data-avatar]')) {
      avatar.textContent = user.initials;
      avatar.setAttribute('aria-label', `${user.initials}, log out`);
    }
    for (const place of document.querySelectorAll<HTMLElement>('[data-business-logo]')) showLogo(place, user);
  });
}

function showLogo(place: HTMLElement, { logo }: SessionUser): void {
  place.hidden = !logo;
  if (!logo) {
    place.replaceChildren();
    return;
  }
  const image = place.querySelector('img') ?? document.createElement('img');
  image.alt = '';
  image.src = logo;
  place.replaceChildren(image);
}

const worker = '/sw.js';

/**
 * Has the browser cache the site's data-free pages, once this one is loaded. Nothing happens where it cannot: over plain
 * http, or in a private window of some browsers.
 */
function cachePagesForDeadSpots(): void {
  const workers = serviceWorkers();
  if (!workers || !import.meta.env.PROD) return;
  const register = () =>
    workers.register(trusted(worker)).catch((refusal: unknown) => {
      console.warn('Pages are not cached for reading without a network', refusal);
    });
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

/** Pages let no text become a script's address, save this one. */
function trusted(address: typeof worker): string {
  const policies = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (!policies) return address;
  const policy = policies.createPolicy('ute-worker', { createScriptURL: () => address });
  return policy.createScriptURL(address);
}
