import { loadAccount } from '#api/accounts/load-account.ts';
import { announcementKinds } from '#api/messages/announcements/announcement-kinds.ts';
import { announcementMail } from '#api/messages/announcements/announcement-mail.ts';
import { findAnnouncement } from '#api/messages/announcements/announcements.ts';
import type { MailKind } from '../message-kind.ts';

declare module '#api/messages/outbox/outbox.ts' {
  interface QueuedMessages {
    announcement: Readonly<{ announcement: string; accountId: string }>;
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
