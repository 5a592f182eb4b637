import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { loadAccount } from '#api/accounts/load-account.ts';
import { changeNotifications } from '#api/businesses/notifications.ts';
import type { Deps } from '#api/deps.ts';
import type { MailParts } from '#api/outbox/mail-layout.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { mailLink } from '#core/values/contact.ts';
import { product } from '#core/values/product.ts';
import { type Subscription, subscriptionNames, subscriptions } from './announcement-text.ts';

/** What the page behind a link to unsubscribe shows: of whom, it does not say. */
export type UnsubscribePage = Readonly<{
  /** What it is about, as it reads in a sentence: `the newsletter`. */
  what: string;
  state: 'on' | 'off';
}>;

/** Whose link it is. Throws NotFoundError for a token that is not ours. */
export function openUnsubscribing({ config }: Pick<Deps, 'config'>, token: string): Unsubscribing {
  const whose = readUnsubscribeToken(config, token);
  if (whose === null) throw new NotFoundError('Link not found');
  return whose;
}

/** How things stand behind a link. Changes nothing, however often it is read. Throws NotFoundError for a link that is none. */
export async function readUnsubscribePage(
  deps: Pick<Deps, 'config' | 'store'>,
  token: string,
): Promise<UnsubscribePage> {
  const { accountId, kind } = openUnsubscribing(deps, token);
  const { account } = await loadAccount(deps, accountId);
  const { name: what, toggle } = subscriptions[kind];
  return { what, state: account.notifications[toggle] ? 'on' : 'off' };
}

/** Turns off what a link is about, as its owner would: once, however often it is sent. Throws NotFoundError as above. */
export async function unsubscribe(
  deps: Pick<Deps, 'config' | 'store' | 'now' | 'newId'>,
  token: string,
  correlation: string,
): Promise<UnsubscribePage> {
  const { accountId, kind } = openUnsubscribing(deps, token);
  const { name: what, toggle } = subscriptions[kind];
  await changeNotifications(deps, { accountId }, { [toggle]: false }, correlation);
  return { what, state: 'off' };
}

export type SubscriptionSettings = Pick<Config, 'keys' | 'publicOrigin' | 'product'>;

/**
 * What a mail has that an account holder can unsubscribe from: why it comes, how to reach us and how to be rid of it stand
 * below the words, the last also in headers that mail programs make a button of (RFC 2369, RFC 8058).
 */
export function subscriptionParts(
  config: SubscriptionSettings,
  whose: Unsubscribing,
): Pick<MailParts, 'replyTo' | 'why' | 'footLink' | 'headers'> {
  const { name, isOn } = subscriptions[whose.kind];
  const url = unsubscribeUrl(config, whose);
  const { contact } = config.product;
  return {
    ...(contact ? { replyTo: contact.email } : {}),
    why: [
      `You get this because ${isOn} in your profile, under Notifications.`,
      ...(contact ? [`To reach ${product.name}, answer this email or call ${contact.phone}.`] : []),
    ].join(' '),
    footLink: { label: `Unsubscribe from ${name}`, url },
    headers: {
      'List-Id': `<${whose.kind}.${new URL(config.publicOrigin).hostname}>`,
      'List-Unsubscribe': [`<${url}>`, ...(contact ? [`<${byMail(contact.email, url)}>`] : [])].join(', '),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** For mail programs that only write back: the subject holds the link, for `ute announce unsubscribe`. */
function byMail(address: string, url: string): string {
  return `${mailLink(address)}?subject=${encodeURIComponent(`Unsubscribe ${url.split('/').at(-1)}`)}`;
}

/** Whose toggle a link turns off, and which. */
type Unsubscribing = Readonly<{ accountId: string; kind: Subscription }>;

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
