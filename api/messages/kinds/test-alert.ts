import type { Deps } from '#api/deps.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind, OutboxMessage, SmsKind } from '#api/messages/message-kind.ts';
import { type Tradie, tradieOf } from '#api/messages/tradie.ts';
import { product } from '#core/values/product.ts';

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

function recipient(deps: Deps, { businessId, kind }: OutboxMessage): Promise<Tradie> {
  if (businessId === null) throw new TypeError(`${kind} is for a business`);
  return tradieOf(deps, businessId);
}
