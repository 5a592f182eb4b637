import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'business-closing': Readonly<{ accountId: string }>;
  }
}

/** Tells the owner of a business when it is to be closed, in case it was not them. Not sent once it stays open after all. */
export const businessClosing: MailKind = {
  kind: 'business-closing',
  channel: 'mail',
  async compose(deps, { data }) {
    const { account } = await loadAccount(deps, String(data.accountId));
    const business = await loadBusiness(deps, account.businessId);
    if (!business?.closing) return null;
    const when = instantWords(business.closing.dueAt, business.timeZone);
    return mailOf({
      to: account.email,
      subject: `Your ${product.name} business closes on ${when}`,
      heading: 'Your business is to be closed',
      paragraphs: [
        greeted(
          account,
          `${business.tradingName || business.name} closes on ${when}. Your account, all jobs and all details of your customers are removed then, for good. Your public page is offline already.`,
        ),
        'Until then you can sign in as before, download everything, and keep the business open by one press on your profile. You get no other email about it.',
        'If it was not you, sign in, keep the business open and set a new password now.',
      ],
      action: { label: 'Keep it open', url: `${deps.config.publicOrigin}/profile` },
      why: `You get this because it is your account. ${product.name} always tells you when your business is to be closed.`,
    });
  },
};
