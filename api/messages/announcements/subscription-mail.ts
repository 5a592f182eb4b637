import type { MailParts } from '#api/messages/mail-layout.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { product } from '#core/values/product.ts';
import { subscriptions } from './announcement-kinds.ts';
import { type Unsubscribing, unsubscribeUrl } from './unsubscribe-link.ts';

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
  return `mailto:${address}?subject=${encodeURIComponent(`Unsubscribe ${url.split('/').at(-1)}`)}`;
}
