import { helpWords, settledChange } from '#api/accounts/contact/contact-notice.ts';
import { product } from '#core/values/product.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'email-changed': Readonly<{ accountId: string; changeId: string }>;
  }
}

/** Tells the old address that the account has another one. Goes out even when a crash cut the change itself short. */
export const emailChanged: MailKind = {
  kind: 'email-changed',
  channel: 'mail',
  async compose(deps, { data }) {
    const changed = await settledChange(deps, data);
    if (!changed) return null;
    const { before } = changed;
    return mailOf({
      to: before.email,
      subject: `Your ${product.name} email address was changed`,
      heading: 'Your email address was changed',
      paragraphs: [
        greeted(
          before,
          `your ${product.name} account has another email address from now on. This one no longer signs in.`,
        ),
        `If it was you, there is nothing to do. ${helpWords(deps)}`,
      ],
      why: `You get this because this was the address of your ${product.name} account.`,
    });
  },
};
