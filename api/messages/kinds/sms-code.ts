import { loadRegistration } from '#api/registration/load-registration.ts';
import { mintCode } from '#api/registration/sms-codes.ts';
import { mobileOf } from '#core/registration/draft.ts';
import { product } from '#core/values/product.ts';
import type { SmsKind } from '../message-kind.ts';
import { mintedCode } from '../minted-secret.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'sms-code': Readonly<{ registrationId: string }>;
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
