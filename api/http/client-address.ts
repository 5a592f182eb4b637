import { createHmac } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import type { Deps } from '#api/deps.ts';

const UNKNOWN = '127.0.0.1';
/** The warning is repeated after so long, in milliseconds. */
const REMINDER = 60 * 60_000;

/**
 * The client's address. Of X-Forwarded-For only the entries that our own `trustedProxies` wrote are believed,
 * counted from the right: whatever the client put there itself changes nothing. An entry may have a port, and an IPv6 address brackets.
 */
export function clientAddress(headers: Headers, socket: string | undefined, trustedProxies: number): string {
  return bare(trustedEntry(headers, trustedProxies)) ?? bare(socket) ?? UNKNOWN;
}

/** Whether the entry of X-Forwarded-For that is believed holds something, and that is no address. */
export function isEntryUnreadable(headers: Headers, trustedProxies: number): boolean {
  const entry = trustedEntry(headers, trustedProxies);
  return Boolean(entry) && bare(entry) === undefined;
}

function trustedEntry(headers: Headers, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  return (headers.get('x-forwarded-for') ?? '').split(',').at(-trustedProxies)?.trim();
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
  return createHmac('sha256', secret)
    .update(`intake source ${addressKey(address)}`)
    .digest('hex');
}

/** As proxies write an address: plain, `203.0.113.9:4711`, `[2001:db8::1]`, `[2001:db8::1]:443`, in quotes. */
const WRITTEN = /^"?(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5}|([^"]*))"?$/;

function bare(written: string | undefined): string | undefined {
  if (!written) return undefined;
  const [, inBrackets, beforePort, plain] = WRITTEN.exec(written.toLowerCase()) ?? [];
  const address = inBrackets ?? beforePort ?? plain ?? '';
  if (isIP(address) === 0) return undefined;
  return isIPv6(address) ? (dressedIpv4(address) ?? address) : address;
}

/** The IPv4 address that an IPv6 one stands for (`::ffff:203.0.113.9`, `::ffff:cb00:7109`), undefined for any other. */
function dressedIpv4(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted) return dotted;
  const groups = expandedGroups(address);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff' || groups.length !== 8) return undefined;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
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
 * Warns, once an hour at most, when all clients share a proxy's address, and with it the limits of one: requests come through a proxy
 * while `TRUSTED_PROXIES` is 0, or the entry that is believed is no address. Anyone may send the header while no proxy writes it:
 * it proves nothing, and changes nothing.
 */
export function warnOfProxies({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  const { trustedProxies } = config;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const isWrong = (headers: Headers) =>
    trustedProxies === 0 ? headers.has('x-forwarded-for') : isEntryUnreadable(headers, trustedProxies);
  return (headers: Headers, now = performance.now()): void => {
    if (now - warnedAt < REMINDER || !isWrong(headers)) return;
    warnedAt = now;
    const event = trustedProxies === 0 ? 'forwarded-but-no-trusted-proxies' : 'forwarded-entry-is-no-address';
    logger.warn({ event, setting: 'TRUSTED_PROXIES' });
  };
}
