import { mailOf } from '#api/messages/mail-layout.ts';
import type { Mail } from '#api/providers/messages.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { product } from '#core/values/product.ts';
import { announcementKinds } from './announcement-kinds.ts';
import { blocksOf } from './announcement-text.ts';
import type { Announcement } from './announcements.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

type Settings = Pick<Config, 'keys' | 'publicOrigin' | 'product'>;
type Recipient = Readonly<{ accountId: string; email: string }>;

/** Whose link a mail has that is shown to the operator: it opens nothing. */
export const previewAccount = '00000000-0000-0000-0000-000000000000';

/**
 * An announcement to one account: why it comes, how to reach us and how to be rid of it stand below the words, the last also
 * in headers that mail programs make a button of (RFC 2369, RFC 8058).
 */
export function announcementMail(
  config: Settings,
  { kind, subject, body }: Announcement,
  { accountId, email: to }: Recipient,
): Mail {
  const { name, isOn } = announcementKinds[kind];
  const { paragraphs, action } = blocksOf(body, config.publicOrigin);
  const url = unsubscribeUrl(config, { accountId, kind });
  const { contact } = config.product;
  return mailOf({
    ...{ to, subject, heading: subject, paragraphs },
    ...(action ? { action } : {}),
    ...(contact ? { replyTo: contact.email } : {}),
    why: [
      `You get this because ${isOn} in your profile, under Notifications.`,
      ...(contact ? [`To reach ${product.name}, answer this email or call ${contact.phone}.`] : []),
    ].join(' '),
    footLink: { label: `Unsubscribe from ${name}`, url },
    headers: {
      'List-Id': `<${kind}.${new URL(config.publicOrigin).hostname}>`,
      'List-Unsubscribe': [`<${url}>`, ...(contact ? [`<${byMail(contact.email, url)}>`] : [])].join(', '),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
}

/** For mail programs that only write back: the subject holds the link, for `ute announce unsubscribe`. */
function byMail(address: string, url: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(`Unsubscribe ${url.split('/').at(-1)}`)}`;
}
