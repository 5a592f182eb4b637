import { basicAuth, postMessage } from '#api/providers/outside/post-message.ts';
import type { SmsSettings } from '#api/runtime/config/messages.ts';
import type { SmsProvider } from './sms.ts';

type Settings = Extract<SmsSettings, { provider: 'messagemedia' }>;

/** MessageMedia's Messages API; without a sender it uses a number of its own. `timeout` in milliseconds. */
export function messageMediaSms({ key, secret, from, url }: Settings, timeout?: number): SmsProvider {
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
