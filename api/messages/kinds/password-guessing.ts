import { loadAccount } from '#api/accounts/load-account.ts';
import { findCredential } from '#api/accounts/sign-in/credentials.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'password-guessing': Readonly<{ claim: string }>;
  }
}

/** Tells an owner that wrong passwords are tried for the account. `claim` is the key of the email that was tried. */
export const passwordGuessing: MailKind = {
  kind: 'password-guessing',
  channel: 'mail',
  async compose(deps, { data, queuedAt }) {
    const credential = await findCredential(deps.db, Buffer.from(String(data.claim), 'hex'));
    if (!credential) return null;
    const { account } = await loadAccount(deps, credential.accountId);
    const timeZone = (await getTimeZone(deps.db, account.businessId)) ?? 'UTC';
    return mailOf({
      to: account.email,
      subject: `Wrong passwords were tried for your ${product.name} account`,
      heading: 'Wrong passwords were tried',
      paragraphs: [
        `Hello ${account.firstName}, 20 wrong passwords were tried for your ${product.name} account within an hour, the last on ${instantWords(queuedAt.toISOString(), timeZone)}.`,
        'Your account is not locked: your own password still signs you in, after a short check that your browser does by itself.',
        'If you use the same password elsewhere, choose a new one now.',
      ],
      action: { label: 'Set a new password', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} tells you of this once a day at most.`,
    });
  },
};
