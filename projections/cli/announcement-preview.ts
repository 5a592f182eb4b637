import { announcementMail, nobody } from '#api/announcements/announcement-mail.ts';
import type { Announcement } from '#api/announcements/announcements.ts';
import type { Config } from '#api/config.ts';
import { configuredProviders } from '#api/messages/configured-providers.ts';
import { ProviderError } from '#api/providers/outside/fetch-json.ts';
import { sendableMail } from '#api/providers/outside/sendable.ts';
import { print, type System } from './system.ts';

const someone = 'somebody@example.com';

/** An announcement as its readers see it in a mail of text. */
export function previewLines(config: Config, announcement: Announcement): string[] {
  const mail = sendableMail(announcementMail(config, announcement, { accountId: nobody, email: someone }));
  return [`Subject: ${mail.subject}`, '', ...mail.text.trimEnd().split('\n')];
}

/** Sends an announcement to one address, at once and past the outbox; false, with the reason, when nobody took it. */
export async function sendAnnouncementTest(
  { db, config }: System,
  announcement: Announcement,
  email: string,
): Promise<boolean> {
  const composed = announcementMail(config, announcement, { accountId: nobody, email });
  const { mail } = configuredProviders({ db, config, now: () => new Date() });
  try {
    const messageId = `<${Bun.randomUUIDv7()}@${new URL(config.publicOrigin).hostname}>`;
    await mail.send(sendableMail({ ...composed, subject: `[Test] ${composed.subject}` }), messageId);
    const isKept = mail.name === 'outbox';
    print([isKept ? 'kept for /dev/outbox: no provider is configured' : `${mail.name} took it`]);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    print([`not sent: ${error.message}`]);
    return false;
  } finally {
    await mail.close?.();
  }
}
