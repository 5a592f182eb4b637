import { loadAccount } from '#api/accounts/load-account.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    /** `account`: of the account alone; else of everything in the business. */
    'data-exported': Readonly<{ accountId: string; what: 'everything' | 'account' }>;
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
        'If it was you, there is nothing to do. If it was not, set a new password now: that signs everybody else out.',
      ],
      action: { label: 'It was not me', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} always tells you when its data is downloaded.`,
    });
  },
};
