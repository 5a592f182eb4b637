import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import { mayMail } from '#api/messages/outbox/recipient-limit.ts';
import { loadDemo } from '#api/registration/request-demo.ts';
import { leftOut, withoutContact } from '#core/values/contact-in-text.ts';
import { type ReachTime, reachTimes } from '#core/values/demo-request.ts';
import { formatPhone } from '#core/values/phone.ts';
import { product } from '#core/values/product.ts';

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
      subject: `${product.name} demo: somebody wants to see it`,
      heading: 'Somebody wants a demo',
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
