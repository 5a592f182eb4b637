import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import { namedInMail } from '#api/jobs/addressees.ts';
import { greeted, mailOf } from '#api/outbox/mail-layout.ts';
import type { MailKind } from '#api/outbox/message-kind.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    /** `account`: of the account alone; else of everything in the business. */
    'data-exported': Readonly<{ accountId: string; what: 'everything' | 'account' }>;
    'business-closing': Readonly<{ accountId: string }>;
  }
}

/** Tells the owner of an account that data of it was downloaded, in case it was not them. */
export const dataExported: MailKind = {
  kind: 'data-exported',
  channel: 'mail',
  async compose(deps, { data, queuedAt }) {
    const { account } = await loadAccount(deps, String(data.accountId));
    const timeZone = (await getTimeZone(deps.db, account.businessId)) ?? 'UTC';
    const when = instantWords(queuedAt.toISOString(), timeZone);
    const whatBegan =
      data.what === 'account'
        ? `a download of what is stored about you in ${product.name} began on ${when}: your name, your contact details and the history of your account.`
        : `a download of everything in your ${product.name} account began on ${when}: your jobs, your customers and their files.`;
    return mailOf({
      to: account.email,
      subject: `Your ${product.name} data was downloaded`,
      heading: 'Your data was downloaded',
      paragraphs: [
        greeted(account, `${whatBegan} The person who asked for it was signed in and knew your password.`),
        'If it was you, there is nothing to do. If it was not, set a new password now: that signs everyone else out.',
      ],
      action: { label: 'It was not me', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} always tells you when its data is downloaded.`,
    });
  },
};

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
      heading: 'Your business is closing',
      paragraphs: [
        greeted(
          account,
          `${isEmailTrusted(account) ? namedInMail(business.tradingName || business.name, 'your business') : 'your business'} closes on ${when}. Your account, all jobs and all details of your customers are removed then, for good. Your public page is offline already.`,
        ),
        'Until then you can sign in as before, download everything, and keep the business open with one press on your profile. This is the only email about it.',
        'If it was not you, sign in, keep the business open and set a new password now.',
      ],
      action: { label: 'Keep it open', url: `${deps.config.publicOrigin}/profile` },
      why: `You get this because it is your account. ${product.name} always tells you when your business is closing.`,
    });
  },
};
