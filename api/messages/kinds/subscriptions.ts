import { loadAccount } from '#api/accounts/load-account.ts';
import { announcementKinds, blocksOf } from '#api/messages/announcements/announcement-text.ts';
import { type Announcement, findAnnouncement } from '#api/messages/announcements/announcements.ts';
import { type SubscriptionSettings, subscriptionParts } from '#api/messages/announcements/unsubscribe.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import type { Mail } from '#api/providers/messages.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { product } from '#core/values/product.ts';
import { findCheckpoint, readProofKeys } from '#projections/proof/read.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    announcement: Readonly<{ announcement: string; accountId: string }>;
    'weekly-record': Readonly<{ accountId: string }>;
  }
}

/** Brings one owner what an operator announces to many, unless they have turned it off or it was cancelled meanwhile. */
export const announcementToOne: MailKind = {
  kind: 'announcement',
  channel: 'mail',
  isSentOnce: true,
  async compose(deps, { data }) {
    const accountId = String(data.accountId);
    const announcement = await findAnnouncement(deps.db, String(data.announcement));
    if (announcement === null || announcement.isCancelled) return null;
    const { account } = await loadAccount(deps, accountId);
    if (!account.notifications[announcementKinds[announcement.kind].toggle]) return null;
    return announcementMail(deps.config, announcement, { accountId, email: account.email });
  },
};

type Recipient = Readonly<{ accountId: string; email: string }>;

/** Whose link a mail has that is shown to the operator: it opens nothing. */
export const previewAccount = '00000000-0000-0000-0000-000000000000';

/** An announcement to one account. */
export function announcementMail(
  config: SubscriptionSettings,
  { kind, subject, body }: Announcement,
  { accountId, email: to }: Recipient,
): Mail {
  const { paragraphs, action } = blocksOf(body, config.publicOrigin);
  return mailOf({
    ...{ to, subject, heading: subject, paragraphs },
    ...(action ? { action } : {}),
    ...subscriptionParts(config, { accountId, kind }),
  });
}

/**
 * Brings an owner the newest checkpoint of the log: a copy that the owner of the database does not reach. Not to an address that is not confirmed, nor where nothing was ever signed.
 */
export const weeklyRecord: MailKind = {
  kind: 'weekly-record',
  channel: 'mail',
  isSentOnce: true,
  async compose({ config, db, store }, { data }) {
    const accountId = String(data.accountId);
    const { account } = await loadAccount({ store }, accountId);
    if (!account.notifications.weeklyRecord || !isEmailTrusted(account)) return null;
    const [checkpoint, keys] = await Promise.all([findCheckpoint(db), readProofKeys(db)]);
    const key = keys.findLast(({ kind }) => kind === 'signature');
    if (!checkpoint || !key) return null;
    return mailOf({
      to: account.email,
      subject: 'Your weekly record',
      heading: 'Your weekly record',
      paragraphs: [
        `Attached is a signed number that stands for everything ${product.name} has stored so far: ${checkpoint.size} events, yours among them.`,
        'Keep this email. If a job of yours is ever in dispute, it shows that its history was not rewritten since today.',
        'To use it, open the address below and add the record of the job and the attached checkpoint.txt.',
        `The key that signed it:\n${key.vkey}`,
      ],
      action: { label: 'Check a record', url: `${config.publicOrigin}/check` },
      ...subscriptionParts(config, { accountId, kind: 'weekly-record' }),
      attachments: [{ name: 'checkpoint.txt', text: checkpoint.note + checkpoint.cosignatures }],
    });
  },
};
