import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '#api/runtime/config/config.ts';

/** How long a link to a file is good for, in seconds. */
const mediaLinkLife = 10 * 60;
/** How long the link to a small picture stays the same, in seconds; it is good until the end of the next such time. */
const thumbnailWindow = 60 * 60;

type Keys = Pick<Config, 'keys'>;

/** A link to a customer's file that needs no session and is good for ten minutes: only a job's answer gives one out. */
export function mediaUrl(config: Keys, id: string, now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1000) + mediaLinkLife);
  return `/api/media/${id}?exp=${expires}&sig=${signatureOf(config, { id, expires, size: '' })}`;
}

/**
 * A link to the small picture of a file. It is the same in each answer of an hour, so that the browser's cache has the picture, and
 * good for one to two hours; it does not open the file itself.
 */
export function thumbnailUrl(config: Keys, id: string, now: Date): string {
  const window = Math.floor(now.getTime() / 1000 / thumbnailWindow);
  const expires = String((window + 2) * thumbnailWindow);
  return `/api/media/${id}?exp=${expires}&sig=${signatureOf(config, { id, expires, size: 'thumb' })}&size=thumb`;
}

type MediaLink = Readonly<{
  id: string;
  exp?: string | undefined;
  sig?: string | undefined;
  /** `thumb` for a small picture. */
  size?: string | undefined;
}>;

/** Whether we gave out this link, for this size, and it is still good. */
export function isMediaLink(
  config: Keys,
  { id, exp = '', sig = '', size = '' }: MediaLink,
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1000 <= now.getTime()) return false;
  const given = Buffer.from(sig, 'base64url');
  const right = Buffer.from(signatureOf(config, { id, expires: exp, size }), 'base64url');
  return given.length === right.length && timingSafeEqual(given, right);
}

type Signed = Readonly<{ id: string; expires: string; size: string }>;

function signatureOf({ keys }: Keys, { id, expires, size }: Signed): string {
  const key = Buffer.from(hkdfSync('sha256', keys.token, '', 'links to media', 32));
  const signed = size === '' ? `${id}\n${expires}` : `${id}\n${expires}\n${size}`;
  return createHmac('sha256', key).update(signed).digest('base64url');
}
