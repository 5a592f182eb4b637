import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request carries this very secret as its bearer token. Takes as long for a wrong one as for a right one. */
export function bearsSecret(headers: Headers, secret: string): boolean {
  const given = /^Bearer (\S{1,400})$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
