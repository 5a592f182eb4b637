import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '#api/runtime/config/config.ts';
import { type Subscription, subscriptionNames } from './announcement-kinds.ts';

/** Whose toggle a link turns off, and which. */
export type Unsubscribing = Readonly<{ accountId: string; kind: Subscription }>;

const UUID = 16;
const MAC = 16;
const TOKEN = /^[A-Za-z0-9_-]{44}$/;

/**
 * What a link to unsubscribe carries: the account's id and the kind, signed, so that no stranger can make one for another account. It
 * names no person, opens nothing else and never runs out: a mail may be read years later.
 */
export function unsubscribeToken(config: Pick<Config, 'keys'>, { accountId, kind }: Unsubscribing): string {
  const account = Buffer.from(accountId.replaceAll('-', ''), 'hex');
  if (account.length !== UUID) throw new TypeError('an account has a UUID');
  const payload = Buffer.concat([Buffer.of(subscriptionNames.indexOf(kind)), account]);
  return Buffer.concat([payload, macOf(config, payload)]).toString('base64url');
}

/** What a token of ours says; null for every other text. */
export function readUnsubscribeToken(config: Pick<Config, 'keys'>, token: string): Unsubscribing | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(0, 1 + UUID);
  if (!timingSafeEqual(bytes.subarray(1 + UUID), macOf(config, payload))) return null;
  const kind = subscriptionNames[payload[0] ?? -1];
  const hex = payload.toString('hex', 1);
  const accountId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return kind === undefined ? null : { accountId, kind };
}

/** Where a link to unsubscribe leads: to the configured address of the site, whatever host a request named. */
export function unsubscribeUrl(config: Pick<Config, 'keys' | 'publicOrigin'>, whose: Unsubscribing): string {
  return `${config.publicOrigin}/unsubscribe/${unsubscribeToken(config, whose)}`;
}

/** From the key that is never changed, as links in mail outlive every session. */
function macOf({ keys }: Pick<Config, 'keys'>, payload: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.claim, '', 'ute/unsubscribe', 32));
  return createHmac('sha256', key).update(payload).digest().subarray(0, MAC);
}
