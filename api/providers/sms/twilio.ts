import { basicAuth, postMessage } from '#api/providers/outside/post-message.ts';
import type { SmsSettings } from '#api/runtime/config/messages.ts';
import type { SmsProvider } from './sms.ts';

type Settings = Extract<SmsSettings, { provider: 'twilio' }>;

/** Twilio's Programmable Messaging, from a number or a messaging service. `timeout` in milliseconds. */
export function twilioSms({ account, token, from, url }: Settings, timeout?: number): SmsProvider {
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
