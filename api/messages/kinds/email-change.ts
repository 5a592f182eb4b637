import { expectSecret, findContactChange } from '#api/accounts/contact/contact-changes.ts';
import { helpWords, settledChange } from '#api/accounts/contact/contact-notice.ts';
import { greeted } from '#api/messages/greeting.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import { mintedSecret } from '#api/messages/minted-secret.ts';
import { product } from '#core/values/product.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    'email-changed': Readonly<{ accountId: string; changeId: string }>;
    'email-change-confirm': Readonly<{ changeId: string }>;
  }
}

/** Tells the old address that the account has another one. Goes out even when a crash cut the change itself short. */
export const emailChanged: MailKind = {
  kind: 'email-changed',
  channel: 'mail',
  async compose(deps, { data }) {
    const changed = await settledChange(deps, data);
    if (!changed) return null;
    const { before } = changed;
    return mailOf({
      to: before.email,
      subject: `Your ${product.name} email address was changed`,
      heading: 'Your email address was changed',
      paragraphs: [
        greeted(
          before,
          `your ${product.name} account has another email address from now on. This one no longer signs in.`,
        ),
        `If it was you, there is nothing to do. ${helpWords(deps)}`,
      ],
      why: `You get this because this was the address of your ${product.name} account.`,
    });
  },
};

/**
 * Asks a new address whether it is its owner's: the link changes the account's email, once. Any tradie can type any person's
 * address, so it repeats nothing that the account holder typed.
 */
export const emailChangeConfirm: MailKind = {
  kind: 'email-change-confirm',
  channel: 'mail',
  async compose(deps, message) {
    const { config, db, now } = deps;
    const change = await findContactChange(db, config.keys, String(message.data.changeId), now());
    if (!change) return null;
    const token = mintedSecret(config, message);
    await expectSecret(db, change.changeId, token);
    return mailOf({
      to: change.value,
      subject: `Confirm your new email address for ${product.name}`,
      heading: 'Is this your new email address?',
      paragraphs: [
        `You asked to sign in to ${product.name} with this address from now on.`,
        'The link works once, for an hour. Until you confirm it, everything stays as it is.',
      ],
      action: { label: 'Confirm this address', url: `${config.publicOrigin}/confirm-email?t=${token}` },
      why: `You get this because somebody entered this address as their own on ${product.name}. If it was not you, ignore it.`,
    });
  },
};
