import type { Config } from '#api/runtime/config/config.ts';
import type { SmsSettings } from '#api/runtime/config/messages.ts';
import { basicAuth, postMessage } from './http-client.ts';
import type { SmsProvider } from './messages.ts';
import type { OutboxPage } from './outbox-page.ts';

type TwilioSettings = Extract<SmsSettings, { provider: 'twilio' }>;

/** Twilio's Programmable Messaging, from a number or a messaging service. `timeout` in milliseconds. */
export function twilioSms({ account, token, from, url }: TwilioSettings, timeout?: number): SmsProvider {
  const messages = new URL(`/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, url);
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  return {
    name: 'twilio',
    send: ({ to, text }, reference) =>
      postMessage('twilio', messages, {
        headers: {
          authorization: basicAuth(account, token),
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': reference,
        },
        body: new URLSearchParams({ To: to, Body: text, ...sender }).toString(),
        ...(timeout === undefined ? {} : { timeout }),
      }),
  };
}

type MessageMediaSettings = Extract<SmsSettings, { provider: 'messagemedia' }>;

/** MessageMedia's Messages API; without a sender it uses a number of its own. `timeout` in milliseconds. */
export function messageMediaSms(
  { key, secret, from, url }: MessageMediaSettings,
  timeout?: number,
): SmsProvider {
  const messages = new URL('/v1/messages', url);
  return {
    name: 'messagemedia',
    send: ({ to, text }, reference) =>
      postMessage('messagemedia', messages, {
        headers: {
          authorization: basicAuth(key, secret),
          'content-type': 'application/json',
          accept: 'application/json',
          'idempotency-key': reference,
        },
        body: JSON.stringify({
          messages: [
            {
              content: text,
              destination_number: to,
              format: 'SMS',
              ...(from === null ? {} : { source_number: from }),
              metadata: { reference },
            },
          ],
        }),
        ...(timeout === undefined ? {} : { timeout }),
      }),
  };
}

/** Embedded SMS: goes nowhere but to the page /dev/outbox. */
export function outboxPageSms(page: OutboxPage, now: () => Date): SmsProvider {
  return {
    name: 'outbox',
    send: (sms, reference) => page.keep({ id: reference, takenAt: now(), channel: 'sms', sms }),
  };
}

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
