import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '#api/runtime/config/config.ts';

/** How long a link is good for, in seconds. */
const mediaLinkLife = 10 * 60;

/** A link to a customer's file that needs no session and is good for ten minutes: only a job's answer gives one out. */
export function mediaUrl(config: Pick<Config, 'keys'>, id: string, now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1000) + mediaLinkLife);
  return `/api/media/${id}?exp=${expires}&sig=${signatureOf(config, id, expires).toString('base64url')}`;
}

/** Whether we gave out this link and it is still good. */
export function isMediaLink(
  config: Pick<Config, 'keys'>,
  { id, exp = '', sig = '' }: Readonly<{ id: string; exp?: string | undefined; sig?: string | undefined }>,
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1000 <= now.getTime()) return false;
  const given = Buffer.from(sig, 'base64url');
  const right = signatureOf(config, id, exp);
  return given.length === right.length && timingSafeEqual(given, right);
}

function signatureOf({ keys }: Pick<Config, 'keys'>, id: string, expires: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.token, '', 'links to media', 32));
  return createHmac('sha256', key).update(`${id}\n${expires}`).digest();
}
