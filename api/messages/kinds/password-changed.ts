import { loadAccount } from '#api/accounts/load-account.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'password-changed': Readonly<{ accountId: string }>;
  }
}

/** Tells the owner of an account that its password is another one, in case it was not them. */
export const passwordChanged: MailKind = {
  kind: 'password-changed',
  channel: 'mail',
  async compose(deps, { data, queuedAt }) {
    const { account } = await loadAccount(deps, String(data.accountId));
    const timeZone = (await getTimeZone(deps.db, account.businessId)) ?? 'UTC';
    const when = instantWords(queuedAt.toISOString(), timeZone);
    return mailOf({
      to: account.email,
      subject: `Your ${product.name} password was changed`,
      heading: 'Your password was changed',
      paragraphs: [
        greeted(
          account,
          `the password of your ${product.name} account was changed on ${when}. Every other device was signed out.`,
        ),
        'If it was you, there is nothing to do. If it was not, set a new password now: that signs everybody else out.',
      ],
      action: { label: 'It was not me', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} always tells you when its password changes.`,
    });
  },
};
