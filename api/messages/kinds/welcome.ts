import { keepConfirmation } from '#api/accounts/contact/email-confirmation.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { mailsADay, mayWelcome } from '#api/messages/outbox/recipient-limit.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { product } from '#core/values/product.ts';
import { mailOf } from '../mail-layout.ts';
import type { MailKind } from '../message-kind.ts';
import { mintedSecret } from '../minted-secret.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    welcome: Readonly<{ accountId: string; isCounted?: boolean }>;
  }
}

/**
 * Greets who registered, with a link that shows that the address is theirs. Any applicant can register with any person's address,
 * so it repeats nothing that was typed, and one address gets few of them.
 */
export const welcome: MailKind = {
  kind: 'welcome',
  channel: 'mail',
  async compose(deps, message) {
    const { account } = await loadAccount(deps, String(message.data.accountId));
    if (isEmailTrusted(account)) return null;
    const isCounted = message.data.isCounted === true;
    if (!isCounted && !(await mayWelcome(deps, message, account.email))) return null;
    const token = mintedSecret(deps.config, message);
    await keepConfirmation(deps, token, account);
    return mailOf({
      to: account.email,
      subject: `Welcome to ${product.name}: confirm your email address`,
      heading: `Welcome to ${product.name}`,
      paragraphs: [
        'Your account is open. Please confirm that this is your email address: the link works for a week.',
        `Until then, ${mailsADay} emails a day go to your customers, and alerts to this address do not say what a job is about.`,
      ],
      action: { label: 'Confirm my email', url: `${deps.config.publicOrigin}/welcome/${token}` },
      why: `You get this because a ${product.name} account was opened with this address. If it was not you, there is nothing to do.`,
    });
  },
};
