import type { Deps } from '#api/deps.ts';
import { type Tradie, tradieOf } from '#api/messages/addressees.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind, SmsKind } from '#api/messages/message-kind.ts';
import type { OutboxMessage } from '#api/messages/outbox/outbox.ts';
import { product } from '#core/values/product.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'test-alert-mail': Readonly<{ accountId: string }>;
    'test-alert-sms': Readonly<{ accountId: string }>;
  }
}

/** Shows a tradie that mail arrives. */
export const testAlertMail: MailKind = {
  kind: 'test-alert-mail',
  channel: 'mail',
  async compose(deps, message) {
    const { email } = await recipient(deps, message);
    return mailOf({
      to: email,
      subject: 'Your test alert',
      heading: 'It works',
      paragraphs: ['Alerts for new jobs arrive at this address.'],
      why: 'You get this because you asked for a test alert in your profile, under Notifications.',
    });
  },
};

/** Shows a tradie that SMS arrive. */
export const testAlertSms: SmsKind = {
  kind: 'test-alert-sms',
  channel: 'sms',
  async compose(deps, message) {
    const { phone, business } = await recipient(deps, message);
    return {
      to: phone,
      text: `${product.name} test alert: new jobs of ${business} reach you on this number.`,
    };
  },
};

function recipient(deps: Pick<Deps, 'store'>, { businessId, kind }: OutboxMessage): Promise<Tradie> {
  if (businessId === null) throw new TypeError(`${kind} is for a business`);
  return tradieOf(deps, businessId);
}
