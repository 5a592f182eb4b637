import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '#api/runtime/config/config.ts';

/** By which `ute doctor` proves that it has the installation's key, and in which it gets its answer. */
export const doctorHeader = 'x-ute-doctor';
export const hopsHeader = 'x-forwarded-hops';
/** For how long a proof is good, in milliseconds: its two clocks may differ by as much. */
const LIFE = 2 * 60_000;

type Keys = Pick<Config, 'keys'>;

/** The value of `doctorHeader` at a time. */
export function doctorProof(config: Keys, now: Date): string {
  const at = String(now.getTime());
  return `${at}.${signatureOf(config, at).toString('base64url')}`;
}

/** How many proxies said for whom they ask; null for a request without the proof, which learns nothing about the network. */
export function forwardedHops(config: Keys, headers: Headers, now: Date): number | null {
  const [, at = '', given = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(headers.get(doctorHeader) ?? '') ?? [];
  if (at === '' || Math.abs(now.getTime() - Number(at)) > LIFE) return null;
  if (!timingSafeEqual(Buffer.from(given, 'base64url'), signatureOf(config, at))) return null;
  const forwarded = headers.get('x-forwarded-for');
  return forwarded === null ? 0 : forwarded.split(',').length;
}

function signatureOf({ keys }: Keys, at: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.token, '', 'ute doctor', 32));
  return createHmac('sha256', key).update(at).digest();
}
