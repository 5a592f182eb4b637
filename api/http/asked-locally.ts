/** The names of this machine that a browser on it may use, each with any port. */
export const localNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request calls this machine by one of its own names. A page elsewhere can make its own name lead here (DNS
 * rebinding), and a proxy hands on the name that it was called by: neither may read what is for this machine.
 */
export function isAskedLocally({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  const asked = [new URL(url).host, headers.get('host'), headers.get('x-forwarded-host')];
  return asked.every(
    (host) => host === null || localNames.includes(host.toLowerCase().replace(/:\d{1,5}$/, '')),
  );
}
