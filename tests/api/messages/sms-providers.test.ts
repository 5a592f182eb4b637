import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MessageRefusedError, ProviderError } from '#api/providers/http-client.ts';
import type { SmsProvider } from '#api/providers/messages.ts';
import { messageMediaSms, twilioSms } from '#api/providers/sms.ts';
import { failureOf, LONG_TIMEOUT, providerServers, SHORT_TIMEOUT } from '#tests/support/servers/providers.ts';

const sms = { to: '+61491570156', text: 'Your Ute code is 123456. & so on: ✓' };
const REFERENCE = '0198c0de-0000-7000-8000-000000000001';

const { serve, stopServing } = providerServers();
afterEach(stopServing);

const twilio = (url: string, timeout = LONG_TIMEOUT, from = '+61480000000'): SmsProvider =>
  twilioSms({ provider: 'twilio', account: 'AC123', token: 'a-token', from, url }, timeout);
const messageMedia = (url: string, timeout = LONG_TIMEOUT, from: string | null = null): SmsProvider =>
  messageMediaSms({ provider: 'messagemedia', key: 'a-key', secret: 'a-secret', from, url }, timeout);

test('Twilio is given the number, the words and the sender, as a form', async () => {
  const provider = serve(() => Response.json({ sid: 'SM1', status: 'queued' }, { status: 201 }));
  await twilio(provider.url).send(sms, REFERENCE);
  const [request] = provider.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC123/Messages.json' });
  expect(request?.body).toEqual({ To: sms.to, Body: sms.text, From: '+61480000000' });
  expect(request?.headers.get('authorization')).toBe(`Basic ${btoa('AC123:a-token')}`);
  expect(request?.headers.get('idempotency-key')).toBe(REFERENCE);
});

test('Twilio may send through a messaging service', async () => {
  const provider = serve(() => Response.json({}, { status: 201 }));
  const service = `MG${'0'.repeat(32)}`;
  await twilio(provider.url, LONG_TIMEOUT, service).send(sms, REFERENCE);
  expect(provider.requests[0]?.body).toEqual({ To: sms.to, Body: sms.text, MessagingServiceSid: service });
});

test('MessageMedia is given the number, the words and the reference, as JSON', async () => {
  const provider = serve(() => Response.json({ messages: [{ status: 'queued' }] }, { status: 202 }));
  await messageMedia(provider.url).send(sms, REFERENCE);
  await messageMedia(provider.url, LONG_TIMEOUT, '+61480000000').send(sms, REFERENCE);
  const message = {
    ...{ content: sms.text, destination_number: sms.to, format: 'SMS' },
    metadata: { reference: REFERENCE },
  };
  const [request, other] = provider.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/v1/messages', body: { messages: [message] } });
  expect(request?.headers.get('authorization')).toBe(`Basic ${btoa('a-key:a-secret')}`);
  expect(other?.body).toEqual({ messages: [{ ...message, source_number: '+61480000000' }] });
});

describe.each([
  ['Twilio', twilio],
  ['MessageMedia', messageMedia],
])('%s', (_name, provider) => {
  test.each([
    [400, true],
    [413, true],
    [422, true],
    [401, false],
    [404, false],
    [403, false],
    [429, false],
    [500, false],
    [503, false],
    [302, false],
  ])('that answers %i is final: %s', async (status, isFinal) => {
    const headers = { location: 'https://elsewhere.example/' };
    const server = serve(() => new Response(`No: ${sms.to} ${sms.text}`, { status, headers }));
    const failure = await failureOf(provider(server.url).send(sms, REFERENCE));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure instanceof MessageRefusedError).toBe(isFinal);
    expect(String(failure)).not.toMatch(/61491570156|code is 123456/);
    expect(server.requests).toHaveLength(1);
  });

  test('that is slow is given up', async () => {
    const { url } = serve(() => new Promise<Response>(() => {}));
    expect(String(await failureOf(provider(url, SHORT_TIMEOUT).send(sms, REFERENCE)))).toContain(
      'took too long',
    );
  });

  test('that cuts the connection is a failure to be tried again', async () => {
    const cut = createServer((socket) => socket.once('data', () => socket.end()));
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve));
    const { port } = cut.address() as { port: number };
    const failure = await failureOf(provider(`http://127.0.0.1:${port}`).send(sms, REFERENCE));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).not.toBeInstanceOf(MessageRefusedError);
    cut.close();
  });

  test('that took it and then breaks off has it', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"sid":'));
      },
    });
    const { url } = serve(() => new Response(body, { status: 201 }));
    expect(await failureOf(provider(url, SHORT_TIMEOUT).send(sms, REFERENCE))).toBeNull();
  });
});
