import { findCredential } from '#api/accounts/credentials.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { makeResetToken } from '#api/accounts/passwords/reset-tokens.ts';
import { greeted, mailOf } from '#api/outbox/mail-layout.ts';
import { type MailKind, mintedSecret } from '#api/outbox/message-kind.ts';
import { product } from '#core/values/product.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    'password-changed': Readonly<{ accountId: string }>;
    // `claim` is the key of an email. Rows that wait in the outbox during an upgrade have it by this name.
    'password-guessing': Readonly<{ claim: string }>;
    'password-reset': Readonly<{ claim: string }>;
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
        'If it was you, there is nothing to do. If it was not, set a new password now: that signs everyone else out.',
      ],
      action: { label: 'It was not me', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} always tells you when its password changes.`,
    });
  },
};

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
        greeted(
          account,
          `20 wrong passwords were tried for your ${product.name} account within an hour, the last on ${instantWords(queuedAt.toISOString(), timeZone)}.`,
        ),
        'Your account is not locked: your own password still signs you in, after a short check in your browser.',
        'If you use the same password elsewhere, choose a new one now.',
      ],
      action: { label: 'Set a new password', url: `${deps.config.publicOrigin}/forgot-password` },
      why: `You get this because it is your account. ${product.name} tells you of this once a day at most.`,
    });
  },
};

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
        greeted(account, `someone asked for a new password for your ${product.name} account.`),
        'The link works once, for 30 minutes. If it was not you, there is nothing to do: your password stays as it is.',
      ],
      action: { label: 'Choose a new password', url: `${config.publicOrigin}/reset-password?t=${token}` },
      why: `You get this because a new password was asked for on ${product.name}'s sign-in page.`,
    });
  },
};
