import { mailOf } from '#api/outbox/mail-layout.ts';
import { type MailKind, mintedCode, type SmsKind } from '#api/outbox/message-kind.ts';
import { mayMail } from '#api/outbox/recipient-limit.ts';
import { loadDemo } from '#api/registration/request-demo.ts';
import { mobileOf } from '#core/registration/draft.ts';
import { leftOut, withoutContact } from '#core/values/contact-in-text.ts';
import { type ReachTime, reachTimes } from '#core/values/demo-request.ts';
import { formatPhone } from '#core/values/phone.ts';
import { product } from '#core/values/product.ts';
import { loadRegistration } from './load-registration.ts';
import { mintCode } from './sms-codes.ts';

declare module '#api/outbox/queue.ts' {
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
      text: `${code} is your ${product.name} code. It works for 10 minutes. Don't share it.\n\n@${hostname} #${code}`,
    };
  },
};

/** Tells sales who wants to be shown the product; an answer to it goes to the prospect. */
export const demoRequestMail: MailKind = {
  kind: 'demo-request',
  follows: ['DemoRequested'],
  channel: 'mail',
  async compose(deps, message) {
    const demo = await loadDemo(deps, message);
    const { salesEmail } = deps.config;
    if (demo === null || salesEmail === null) return null;
    const { name, businessName, phone, email, reachTime } = demo;
    return mailOf({
      to: salesEmail,
      subject: `${product.name} demo: someone wants to see it`,
      heading: 'Someone wants a demo',
      paragraphs: [
        `${withoutContact(name, leftOut)}\n${withoutContact(businessName, leftOut)}\n${formatPhone(phone)}\n${email}`,
        `Best time to reach them: ${labelOf(reachTime)}.`,
      ],
      replyTo: email,
      why: `You get this because it is the address for sales of ${product.name}.`,
    });
  },
};

/**
 * Tells the prospect that the request arrived. Any visitor can type any person's address, so it repeats nothing that was typed,
 * and one address gets few of them.
 */
export const demoConfirmation: MailKind = {
  kind: 'demo-confirmation',
  follows: ['DemoRequested'],
  channel: 'mail',
  async compose(deps, message) {
    const demo = await loadDemo(deps, message);
    if (demo === null || !(await mayMail(deps, message, demo.email))) return null;
    return mailOf({
      to: demo.email,
      subject: `Your demo of ${product.name}`,
      heading: 'We’ll be in touch',
      paragraphs: [
        `Thanks for asking to see ${product.name}. We’ll ring you to agree a time for a short walk-through.`,
        `You asked to be reached: ${labelOf(demo.reachTime)}.`,
      ],
      why: `You get this because a demo of ${product.name} was booked with this address. If it was not you, there is nothing to do.`,
    });
  },
};

function labelOf(reachTime: ReachTime): string {
  return reachTimes.find(({ id }) => id === reachTime)?.label ?? reachTime;
}
