import type { OutboxPage } from '#api/providers/outside/outbox-page.ts';
import type { SmsProvider } from './sms.ts';

/** Embedded SMS: goes nowhere but to the page /dev/outbox. */
export function outboxPageSms(page: OutboxPage, now: () => Date): SmsProvider {
  return {
    name: 'outbox',
    send: (sms, reference) => page.keep({ id: reference, takenAt: now(), channel: 'sms', sms }),
  };
}
