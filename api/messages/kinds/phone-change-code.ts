import { codeSecret } from '#api/accounts/contact/confirm-contact.ts';
import { expectSecret, findContactChange } from '#api/accounts/contact/contact-changes.ts';
import { product } from '#core/values/product.ts';
import type { SmsKind } from '../message-kind.ts';
import { mintedCode } from '../minted-secret.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'phone-change-code': Readonly<{ changeId: string }>;
  }
}

/** Six digits to a new mobile, that its owner types where they are signed in. */
export const phoneChangeCode: SmsKind = {
  kind: 'phone-change-code',
  channel: 'sms',
  async compose({ config, db, now }, message) {
    const change = await findContactChange(db, config.keys, String(message.data.changeId), now());
    if (!change) return null;
    const code = mintedCode(config, message);
    await expectSecret(db, change.changeId, codeSecret(config, change.changeId, code));
    return {
      to: change.value,
      text: `${code} is your ${product.name} code for this mobile number. It works for 10 minutes. Not you? Ignore it, and tell it to nobody.`,
    };
  },
};
