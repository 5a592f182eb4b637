/** What a release of the site caches in the browser: pages that hold no data, and what they are made of. */
export type Release = Readonly<{ version: string; files: readonly string[] }>;

/** Shown where a page is not cached. */
const offlinePage = '/offline';

/** Pages that are of use without a network. `/jobs/details/_` stands for every job, as on the server. */
export const cachedPages: readonly string[] = [
  ...['/', '/jobs/today', '/jobs/new', '/jobs/in-progress', '/jobs/all', '/jobs/add', '/jobs/details/_'],
  ...['/logout', '/login', offlinePage],
];

/** The cached page that answers for a path; the offline page where none does. */
function cachedPageFor(pathname: string): string {
  const path = pathname.replace(/(.)\/$/, '$1');
  if (path === '/jobs') return '/jobs/all';
  if (/^\/jobs\/details\/[^/]+$/.test(path)) return '/jobs/details/_';
  return cachedPages.includes(path) ? path : offlinePage;
}

/** Whether a file has its content's hash in its name, so that a cached one is never out of date. */
function isHashed(pathname: string): boolean {
  return pathname.startsWith('/_astro/');
}

/** What the worker needs of the browser. */
export type Browser = Readonly<{
  caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  fetch: (request: Request) => Promise<Response>;
  /** Resolves after that many milliseconds. */
  pause: (milliseconds: number) => Promise<void>;
}>;

const prefix = 'ute.shell.';
/** How long a page is waited for before the cached one is shown, in milliseconds. */
const timeout = 6_000;

/** Caches the files of a release; all of them or, rejecting, none. */
export async function cacheRelease({ caches }: Browser, { version, files }: Release): Promise<void> {
  const cache = await caches.open(prefix + version);
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
}

/** Removes the caches of earlier releases. */
export async function dropOthers({ caches }: Browser, { version }: Release): Promise<void> {
  const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== prefix + version);
  await Promise.all(others.map((key) => caches.delete(key)));
}

/** A page from the network whenever there is one, so that a new release is seen at once; else the cached one. */
export async function answerPage(
  browser: Browser,
  { version }: Release,
  request: Request,
  preloaded: Promise<Response | undefined>,
): Promise<Response> {
  const fresh = (async () => (await preloaded) ?? (await browser.fetch(request)))();
  const inTime = await Promise.race([
    fresh.catch(() => undefined),
    browser.pause(timeout).then(() => undefined),
  ]);
  if (inTime) return inTime;
  const cache = await browser.caches.open(prefix + version);
  return (await cache.match(cachedPageFor(new URL(request.url).pathname))) ?? fresh;
}

/** A file by its hash from the cache, else from the network; undefined for everything else. */
export function answerFile(
  browser: Browser,
  { version, files }: Release,
  request: Request,
): Promise<Response> | undefined {
  const { pathname } = new URL(request.url);
  if (!files.includes(pathname) || cachedPageFor(pathname) === pathname) return undefined;
  return cachedOrFresh(browser, version, request, pathname);
}

async function cachedOrFresh(
  browser: Browser,
  version: string,
  request: Request,
  pathname: string,
): Promise<Response> {
  const cached = await (await browser.caches.open(prefix + version)).match(pathname);
  if (!cached) return browser.fetch(request);
  return isHashed(pathname) ? cached : browser.fetch(request).catch(() => cached);
}
