/**
 * A path of our own site, from text that may come from any link: one leading slash, no host, no
 * backslash, no control character. Anything else is the dashboard. Signing in never leads back to signing out.
 */
export function ownPath(text: string | null | undefined): string {
  if (!text || text.length > 2000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return '/';
  const url = new URL(text, 'https://own.invalid');
  if (url.origin !== 'https://own.invalid' || url.pathname.startsWith('//')) return '/';
  if (/^\/(login|logout)(\/|$)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
