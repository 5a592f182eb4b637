import { mailOf } from '#api/messages/mail-layout.ts';
import type { Mail } from '#api/providers/messages.ts';
import { blocksOf } from './announcement-text.ts';
import type { Announcement } from './announcements.ts';
import { type SubscriptionSettings, subscriptionParts } from './subscription-mail.ts';

type Recipient = Readonly<{ accountId: string; email: string }>;

/** Whose link a mail has that is shown to the operator: it opens nothing. */
export const previewAccount = '00000000-0000-0000-0000-000000000000';

/** An announcement to one account. */
export function announcementMail(
  config: SubscriptionSettings,
  { kind, subject, body }: Announcement,
  { accountId, email: to }: Recipient,
): Mail {
  const { paragraphs, action } = blocksOf(body, config.publicOrigin);
  return mailOf({
    ...{ to, subject, heading: subject, paragraphs },
    ...(action ? { action } : {}),
    ...subscriptionParts(config, { accountId, kind }),
  });
}
