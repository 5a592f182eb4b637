import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isEntryUnreadable } from '#api/http/client-address.ts';
import type { Config } from '#api/runtime/config/config.ts';

/** By which `ute doctor` proves that it has the installation's key, and in which it gets its answer. */
export const doctorHeader = 'x-ute-doctor';
export const hopsHeader = 'x-forwarded-hops';
/** For how long a proof is good, in milliseconds: its two clocks may differ by as much. */
const LIFE = 2 * 60_000;
/** As many as may be trusted. */
const MOST_PROXIES = 10;

type Keys = Pick<Config, 'keys'>;

/** The value of `doctorHeader` at a time. */
export function doctorProof(config: Keys, now: Date): string {
  const at = String(now.getTime());
  return `${at}.${signatureOf(config, at).toString('base64url')}`;
}

/** What a request says of the proxies before it: the entries of X-Forwarded-For, and which of them, from the right, are no addresses. */
export type Hops = Readonly<{ count: number; unreadable: readonly number[] }>;

/** `hopsHeader` for a request: null for one without the proof, which learns nothing about the network. */
export function hopsFor(config: Keys, headers: Headers, now: Date): string | null {
  const [, at = '', given = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(headers.get(doctorHeader) ?? '') ?? [];
  if (at === '' || Math.abs(now.getTime() - Number(at)) > LIFE) return null;
  if (!timingSafeEqual(Buffer.from(given, 'base64url'), signatureOf(config, at))) return null;
  const count = headers.get('x-forwarded-for')?.split(',').length ?? 0;
  const entries = Array.from({ length: Math.min(count, MOST_PROXIES) }, (_, n) => n + 1);
  return [count, ...entries.filter((entry) => isEntryUnreadable(headers, entry))].join(' ');
}

/** Reads what `hopsFor` wrote. */
export function readHops(header: string): Hops {
  const [count = 0, ...unreadable] = header.split(' ').map(Number);
  return { count, unreadable };
}

function signatureOf({ keys }: Keys, at: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.token, '', 'ute doctor', 32));
  return createHmac('sha256', key).update(at).digest();
}
