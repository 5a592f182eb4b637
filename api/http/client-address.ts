import { createHmac } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import type { Deps } from '#api/deps.ts';

const UNKNOWN = '127.0.0.1';
/** The warning is repeated after so long, in milliseconds. */
const REMINDER = 60 * 60_000;

/**
 * The client's address. Of X-Forwarded-For only the entries that our own `trustedProxies` wrote are believed,
 * counted from the right: whatever the client put there itself changes nothing.
 */
export function clientAddress(headers: Headers, socket: string | undefined, trustedProxies: number): string {
  const own = bare(socket) ?? UNKNOWN;
  if (trustedProxies === 0) return own;
  const hops = (headers.get('x-forwarded-for') ?? '').split(',');
  return bare(hops.at(-trustedProxies)?.trim()) ?? own;
}

/** One client, as far as an address tells: an IPv4 address, or the /64 that an IPv6 client may roam in. */
export function addressKey(address: string): string {
  return isIP(address) === 4 ? address : addressPrefix(address);
}

/** A client's neighbourhood: the /24 of an IPv4 address, the /64 of an IPv6 one. */
export function addressPrefix(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return `${expandedGroups(address).slice(0, 4).join(':')}::/64`;
}

/** The networks around a client's own that one customer of a provider may be given: none for IPv4, /56 and /48 for IPv6. */
export function widerNetworks(address: string): string[] {
  if (isIP(address) === 4) return [];
  const groups = expandedGroups(address);
  const upper = (Number.parseInt(groups[3] ?? '0', 16) & 0xff00).toString(16);
  return [`${[...groups.slice(0, 3), upper].join(':')}::/56`, `${groups.slice(0, 3).join(':')}::/48`];
}

/** The widest network that is taken for one client's: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function networkOf(address: string): string {
  return widerNetworks(address).at(-1) ?? addressPrefix(address);
}

/** A source as the limits know it: an address (an IPv6 one by its network), not to be read back. */
export function hashSource(address: string, secret: Buffer): string {
  const source = isIPv6(address) ? addressPrefix(address) : address;
  return createHmac('sha256', secret).update(`intake source ${source}`).digest('hex');
}

function bare(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  return plain && isIP(plain) ? plain : undefined;
}

function expandedGroups(address: string): string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}

/**
 * Warns, once an hour at most, when requests come through a proxy while `TRUSTED_PROXIES` is 0: all clients then share the
 * proxy's address, and with it the limits of one. Anyone may send the header: it proves nothing, and changes nothing.
 */
export function warnOfUncountedProxies({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (headers: Headers, now = performance.now()): void => {
    if (config.trustedProxies > 0 || now - warnedAt < REMINDER || !headers.has('x-forwarded-for')) return;
    warnedAt = now;
    logger.warn({ event: 'forwarded-but-no-trusted-proxies', setting: 'TRUSTED_PROXIES' });
  };
}
