import type { Config } from '#api/runtime/config/config.ts';

/** The names of this machine that a browser on it may use, each with any port. */
const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why the outbox is closed to everybody, in one line; null where it is open to this machine. Its messages hold links and
 * codes that open accounts, so it is there only where no other machine reaches the process.
 */
export function outboxClosed({ host, publicOrigin }: Pick<Config, 'host' | 'publicOrigin'>): string | null {
  if (!/^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host))
    return `The outbox is closed: HOST is ${host}, and it opens only where Ute listens on 127.0.0.1`;
  if (!names.includes(new URL(publicOrigin).hostname))
    return `The outbox is closed: PUBLIC_ORIGIN is ${publicOrigin}, which is not this machine`;
  return null;
}

/**
 * Whether a request calls this machine by one of its own names. A page elsewhere can make its own name lead here (DNS
 * rebinding), and a proxy hands on the name that it was called by: neither may read what is in the outbox.
 */
export function isAskedLocally({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  const asked = [new URL(url).host, headers.get('host'), headers.get('x-forwarded-host')];
  return asked.every((host) => host === null || names.includes(host.toLowerCase().replace(/:\d{1,5}$/, '')));
}
