import type { OutboxPage } from '#api/providers/outside/outbox-page.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { MailProvider } from './mail.ts';
import { outboxPageMail } from './outbox-page.ts';
import { smtpMail } from './smtp.ts';

/** The mail that the environment asks for; without a word of it, the outbox's page. */
export function configuredMail(
  config: Pick<Config, 'mail'>,
  page: OutboxPage,
  now: () => Date,
): MailProvider {
  return config.mail.provider === 'smtp' ? smtpMail(config.mail) : outboxPageMail(page, now);
}
