import type { OutboxPage } from '#api/providers/outside/outbox-page.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { messageMediaSms } from './messagemedia.ts';
import { outboxPageSms } from './outbox-page.ts';
import type { SmsProvider } from './sms.ts';
import { twilioSms } from './twilio.ts';

/** The SMS that the environment asks for; without a word of it, the outbox's page. */
export function configuredSms({ sms }: Pick<Config, 'sms'>, page: OutboxPage, now: () => Date): SmsProvider {
  switch (sms.provider) {
    case 'twilio':
      return twilioSms(sms);
    case 'messagemedia':
      return messageMediaSms(sms);
    default:
      return outboxPageSms(page, now);
  }
}
