import { announcementMail, previewAccount } from '#api/announcements/announcement-mail.ts';
import type { Announcement } from '#api/announcements/announcements.ts';
import type { Config } from '#api/config.ts';
import { sendableMail } from '#api/providers/outside/sendable.ts';
import { sendTest } from './send-test.ts';
import type { System } from './system.ts';

const someone = 'somebody@example.com';

/** An announcement as its readers see it in a mail of text. */
export function previewLines(config: Config, announcement: Announcement): string[] {
  const mail = sendableMail(
    announcementMail(config, announcement, { accountId: previewAccount, email: someone }),
  );
  return [`Subject: ${mail.subject}`, '', ...mail.text.trimEnd().split('\n')];
}

/** Sends an announcement to one address, at once and past the outbox; false, with the reason, when no provider took it. */
export function sendAnnouncementTest(
  system: System,
  announcement: Announcement,
  email: string,
): Promise<boolean> {
  const composed = announcementMail(system.config, announcement, { accountId: previewAccount, email });
  const test = sendableMail({ ...composed, subject: `[Test] ${composed.subject}` });
  return sendTest(
    system,
    'mail',
    ({ mail }, _, messageId) => mail.send(test, messageId),
    () => 'took it',
  );
}
