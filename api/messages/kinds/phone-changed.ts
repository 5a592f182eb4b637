import { helpWords, settledChange } from '#api/accounts/contact/contact-notice.ts';
import { formatPhone } from '#core/values/contact.ts';
import { product } from '#core/values/product.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'phone-changed': Readonly<{ accountId: string; changeId: string }>;
  }
}

/** Tells an account's owner that its messages go to another mobile. */
export const phoneChanged: MailKind = {
  kind: 'phone-changed',
  channel: 'mail',
  async compose(deps, { data }) {
    const changed = await settledChange(deps, data);
    if (!changed) return null;
    const { before, after } = changed;
    return mailOf({
      to: after.email,
      subject: `Your ${product.name} mobile number was changed`,
      heading: 'Your mobile number was changed',
      paragraphs: [
        greeted(
          after,
          `your ${product.name} account had the number ${formatPhone(before.phone)}. From now on it is ${formatPhone(after.phone)}.`,
        ),
        `If it was you, there is nothing to do. ${helpWords(deps)}`,
      ],
      why: `You get this because it is your account. ${product.name} always tells you when its number changes.`,
    });
  },
};
