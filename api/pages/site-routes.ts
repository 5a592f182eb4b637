/**
 * The pages that Astro renders for a request, as templates. Only these reach it: what a dependency or an integration adds
 * to the build (`/_image`, `/_server-islands/…`, `/_actions/…`) is not found, whatever it would answer.
 */
export const onDemandPages = [
  '/answer/:token',
  '/not-needed/:token',
  '/robots.txt',
  '/sitemap.xml',
  '/t/:slug',
  '/t/:slug/sent',
  '/unsubscribe/:token',
  '/welcome/:token',
  '/your-details/:token',
] as const;

/** Pages that Astro renders while developing alone: their routes hand over what they show. */
export const developmentPages = ['/dev/outbox', '/dev/outbox/:id'] as const;

/** Index paths of the specification that only lead on: from → to. */
export const redirects: ReadonlyMap<string, string> = new Map([
  ['/jobs', '/jobs/all'],
  ['/register', '/register/tradie'],
  // Where password managers look for the form that changes a password.
  ['/.well-known/change-password', '/profile?panel=security'],
]);

/** Whether a path, as it was sent and without a slash at the end, is one of the templates. */
export function isOneOf(templates: readonly string[]): (path: string) => boolean {
  const literals = templates.map((template) => template.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^(?:${literals.join('|').replace(/:[a-z]+/g, '[^/]+')})$`);
  return (path) => pattern.test(path);
}
