import type { OutboxPage } from '#api/providers/outside/outbox-page.ts';
import type { MailProvider } from './mail.ts';

/** Embedded mail: goes nowhere but to the page /dev/outbox. */
export function outboxPageMail(page: OutboxPage, now: () => Date): MailProvider {
  return {
    name: 'outbox',
    send: (mail, messageId) =>
      page.keep({ id: messageId.replace(/^<|@.*$/g, ''), takenAt: now(), channel: 'mail', mail }),
  };
}
