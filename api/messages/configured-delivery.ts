import type { Deps } from '#api/deps.ts';
import { configuredMail } from '#api/providers/mail/configured.ts';
import { outboxPage } from '#api/providers/outside/outbox-page.ts';
import { configuredSms } from '#api/providers/sms/configured.ts';
import type { Delivery } from './deliver.ts';

/** Delivers through the mail and SMS that the environment names. */
export function configuredDelivery(deps: Deps): Delivery {
  const { config, now } = deps;
  const page = outboxPage(deps.db, config.keys);
  return { deps, mail: configuredMail(config, page, now), sms: configuredSms(config, page, now) };
}
