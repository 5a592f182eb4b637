import type { Deps } from '#api/deps.ts';
import { configuredMail } from '#api/providers/mail.ts';
import { outboxPage } from '#api/providers/outbox-page.ts';
import { configuredSms } from '#api/providers/sms.ts';
import type { Delivery } from './deliver.ts';

/** The mail and the SMS that the environment names. */
export function configuredProviders({
  config,
  db,
  now,
}: Pick<Deps, 'config' | 'db' | 'now'>): Pick<Delivery, 'mail' | 'sms'> {
  const page = outboxPage(db, config.keys);
  return { mail: configuredMail(config, page, now), sms: configuredSms(config, page, now) };
}
