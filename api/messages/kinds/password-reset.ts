import { loadAccount } from '#api/accounts/load-account.ts';
import { makeResetToken } from '#api/accounts/passwords/reset-tokens.ts';
import { findCredential } from '#api/accounts/sign-in/credentials.ts';
import { product } from '#core/values/product.ts';
import { greeted } from '../greeting.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';
import { mintedSecret } from '../minted-secret.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'password-reset': Readonly<{ claim: string }>;
  }
}

/** The link that sets a password anew, for 30 minutes. `claim` is the key of the address it was asked for: maybe of no account. */
export const passwordReset: MailKind = {
  kind: 'password-reset',
  channel: 'mail',
  async compose(deps, message) {
    const { config, db, now } = deps;
    const credential = await findCredential(db, Buffer.from(String(message.data.claim), 'hex'));
    if (!credential) return null;
    const { accountId } = credential;
    const { account } = await loadAccount(deps, accountId);
    const token = mintedSecret(config, message);
    if (!(await makeResetToken(db, { accountId, token, askedAt: message.queuedAt }, now()))) return null;
    return mailOf({
      to: account.email,
      subject: `Set a new password for ${product.name}`,
      heading: 'Set a new password',
      paragraphs: [
        greeted(account, `somebody asked for a new password for your ${product.name} account.`),
        'The link works once, for 30 minutes. If it was not you, there is nothing to do: your password stays as it is.',
      ],
      action: { label: 'Choose a new password', url: `${config.publicOrigin}/reset-password?t=${token}` },
      why: `You get this because a new password was asked for on ${product.name}'s sign-in page.`,
    });
  },
};
