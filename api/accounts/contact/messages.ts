import { codeSecret } from '#api/accounts/contact/change-contact.ts';
import { expectSecret, findContactChange } from '#api/accounts/contact/contact-changes.ts';
import { helpWords, settledChange } from '#api/accounts/contact/finish-contact-change.ts';
import { keepConfirmation } from '#api/accounts/email-confirmation.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { greeted, mailOf } from '#api/outbox/mail-layout.ts';
import { type MailKind, mintedCode, mintedSecret, type SmsKind } from '#api/outbox/message-kind.ts';
import { mailsADay, mayWelcome } from '#api/outbox/recipient-limit.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { formatPhone } from '#core/values/phone.ts';
import { product } from '#core/values/product.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    welcome: Readonly<{ accountId: string; isCounted?: boolean }>;
    'email-changed': Readonly<{ accountId: string; changeId: string }>;
    'email-change-confirm': Readonly<{ changeId: string }>;
    'phone-change-code': Readonly<{ changeId: string }>;
    'phone-changed': Readonly<{ accountId: string; changeId: string }>;
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
          `your ${product.name} account now has a different email address. This one no longer signs in.`,
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
      why: `You get this because someone entered this address as their own on ${product.name}. If it was not you, ignore it.`,
    });
  },
};

/** Six digits to a new mobile, that its owner types where they are signed in. */
export const phoneChangeCode: SmsKind = {
  kind: 'phone-change-code',
  channel: 'sms',
  async compose({ config, db, now }, message) {
    const change = await findContactChange(db, config.keys, String(message.data.changeId), now());
    if (!change) return null;
    const code = mintedCode(config, message);
    await expectSecret(db, change.changeId, codeSecret(config, change.changeId, code));
    return {
      to: change.value,
      text: `${code} is your ${product.name} code for this mobile number. It works for 10 minutes. Not you? Ignore this, and don't share it.`,
    };
  },
};

/** Tells an account's owner that its messages go to another mobile. */
export const phoneChanged: MailKind = {
  kind: 'phone-changed',
  channel: 'mail',
  async compose(deps, { data }) {
    const changed = await settledChange(deps, data);
    if (!changed) return null;
    const { before, after } = changed;
    return mailOf({
      to: after.email,
      subject: `Your ${product.name} mobile number was changed`,
      heading: 'Your mobile number was changed',
      paragraphs: [
        greeted(
          after,
          `your ${product.name} account had the number ${formatPhone(before.phone)}. From now on it is ${formatPhone(after.phone)}.`,
        ),
        `If it was you, there is nothing to do. ${helpWords(deps)}`,
      ],
      why: `You get this because it is your account. ${product.name} always tells you when its number changes.`,
    });
  },
};
