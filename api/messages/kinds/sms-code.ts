import { codeSecret } from '#api/accounts/contact/confirm-contact.ts';
import { expectSecret, findContactChange } from '#api/accounts/contact/contact-changes.ts';
import type { SmsKind } from '#api/messages/message-kind.ts';
import { mintedCode } from '#api/messages/minted-secret.ts';
import { loadRegistration } from '#api/registration/load-registration.ts';
import { mintCode } from '#api/registration/sms-codes.ts';
import { mobileOf } from '#core/registration/draft.ts';
import { product } from '#core/values/product.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'sms-code': Readonly<{ registrationId: string }>;
    'phone-change-code': Readonly<{ changeId: string }>;
  }
}

/** Six digits to the mobile of a draft. The last line lets a phone fill them in by itself, on our own page alone. */
export const smsCode: SmsKind = {
  kind: 'sms-code',
  channel: 'sms',
  async compose(deps, message) {
    const { config, db, now } = deps;
    const registrationId = String(message.data.registrationId);
    const { registration } = (await loadRegistration(deps, registrationId)) ?? {};
    if (!registration || registration.completed !== null) return null;
    const phone = mobileOf(registration.draft);
    const code = mintedCode(config, message);
    const of = { registrationId, messageId: message.id };
    if (phone === null || !(await mintCode(db, config, { ...of, phone }, code, now()))) return null;
    const { hostname } = new URL(config.publicOrigin);
    return {
      to: phone,
      text: `${code} is your ${product.name} code. It works for 10 minutes. Tell it to nobody.\n\n@${hostname} #${code}`,
    };
  },
};

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
