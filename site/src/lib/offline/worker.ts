import {
  answerFile,
  answerPage,
  type Browser,
  cacheRelease,
  dropOthers,
  type Release,
} from './shell-cache.ts';

/** Put in place of this name by the build. */
declare const RELEASE: Release;

/** What of a service worker's scope is used here; the types of the page's own scope stand in its way. */
type Lasting = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Lasting & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
type Scope = {
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { navigationPreload?: { enable(): Promise<void> } };
};

const release = RELEASE;
const scope = globalThis as unknown as Scope;
const browser: Browser = {
  caches,
  fetch: (request) => fetch(request),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

// Whatever it holds is data-free: what the API answers passes by untouched.
scope.addEventListener('install', (event) => {
  event.waitUntil(cacheRelease(browser, release).then(() => scope.skipWaiting()));
});
scope.addEventListener('activate', (event) => {
  const ready = [dropOthers(browser, release), scope.registration.navigationPreload?.enable()];
  event.waitUntil(Promise.all(ready).then(() => scope.clients.claim()));
});
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  if (request.mode === 'navigate') {
    event.respondWith(answerPage(browser, release, request, event.preloadResponse));
    return;
  }
  const answer = answerFile(browser, release, request);
  if (answer) event.respondWith(answer);
});
