/** What a release of the site caches in the browser: pages that hold no data, and what they are made of. */
export type Release = Readonly<{ version: string; files: readonly string[] }>;

/** Shown where a page is not cached. */
export const offlinePage = '/offline';

/** Pages that are of use without a network. `/jobs/details/_` stands for every job, as on the server. */
export const cachedPages: readonly string[] = [
  ...['/', '/jobs/today', '/jobs/new', '/jobs/in-progress', '/jobs/all', '/jobs/add', '/jobs/details/_'],
  ...['/logout', '/login', offlinePage],
];

/** The cached page that answers for a path; the offline page where none does. */
export function cachedPageFor(pathname: string): string {
  const path = pathname.replace(/(.)\/$/, '$1');
  if (path === '/jobs') return '/jobs/all';
  if (/^\/jobs\/details\/[^/]+$/.test(path)) return '/jobs/details/_';
  return cachedPages.includes(path) ? path : offlinePage;
}

/** Whether a file has its content's hash in its name, so that a cached one is never out of date. */
export function isHashed(pathname: string): boolean {
  return pathname.startsWith('/_astro/');
}
