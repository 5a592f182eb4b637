import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { DeliveryUncertainError, MessageRefusedError, ProviderError } from '#api/providers/http-client.ts';
import { type SmtpSettings, smtpMail } from '#api/providers/mail.ts';
import type { Mail, MailProvider } from '#api/providers/messages.ts';
import { EnvironmentReader } from '#api/runtime/config/environment-reader.ts';
import { readMailSettings } from '#api/runtime/config/messages.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';
import { failureOf, LONG_TIMEOUT, SHORT_TIMEOUT } from '#tests/support/servers/providers.ts';

const MESSAGE_ID = '<0198c0de-0000-7000-8000-000000000001@jobs.example.com>';

const mail: Mail = mailOf({
  to: 'dave@acme.example',
  subject: 'New job: Māori café, tap ✓',
  heading: 'New job',
  paragraphs: ['A tap leaks.'],
  action: { label: 'Open the job', url: 'https://jobs.example.com/jobs/details/1' },
  why: 'You get this because you have jobs on Ute.',
});

let server: MailServer;
const providers: MailProvider[] = [];
beforeEach(async () => {
  server = await mailServer();
});
afterEach(async () => {
  for (const provider of providers.splice(0)) await provider.close?.();
  await server.close();
});

function smtp(url = server.url, timeout = LONG_TIMEOUT): MailProvider {
  const env = { SMTP_URL: url, MAIL_FROM: 'Ute <hello@ute.example>' };
  const settings = readMailSettings(new EnvironmentReader(env)) as SmtpSettings;
  const provider = smtpMail(settings, timeout);
  providers.push(provider);
  return provider;
}

test('a mail arrives as text and HTML, from us, to one, with its id', async () => {
  await smtp().send({ ...mail, replyTo: 'office@acme.example' }, MESSAGE_ID);
  const [received] = server.received;
  expect(received).toMatchObject({ from: 'hello@ute.example', to: ['dave@acme.example'] });
  expect(received?.parsed).toMatchObject({
    ...{ subject: mail.subject, messageId: MESSAGE_ID },
    from: { name: 'Ute', address: 'hello@ute.example' },
    to: [{ address: 'dave@acme.example' }],
    replyTo: [{ address: 'office@acme.example' }],
  });
  expect(received?.parsed.text?.trim()).toBe(mail.text.trim());
  expect(received?.parsed.html?.trim()).toBe(mail.html.trim());
  expect(received?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
});

test('a signed note arrives byte for byte', async () => {
  const text = 'jobs.example.com/log/1\n4\n\n— jobs.example.com/log/1 c2ln\n';
  await smtp().send({ ...mail, attachments: [{ name: 'checkpoint.txt', text }] }, MESSAGE_ID);
  const [attached, ...others] = server.received[0]?.parsed.attachments ?? [];
  expect(others).toEqual([]);
  expect(attached).toMatchObject({ filename: 'checkpoint.txt', mimeType: 'text/plain' });
  const content = attached?.content ?? '';
  expect(typeof content === 'string' ? content : new TextDecoder().decode(content)).toBe(text);
});

test('further headers go along', async () => {
  const token = 'x'.repeat(44);
  const headers = {
    'List-Unsubscribe': `<https://jobs.example.com/unsubscribe/${token}>, <mailto:jobs@ute.example?subject=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  await smtp().send({ ...mail, headers }, MESSAGE_ID);
  const lines = server.received[0]?.raw.split('\r\n') ?? [];
  for (const [name, value] of Object.entries(headers)) expect(lines).toContain(`${name}: ${value}`);
});

test('a user and a password open a server that asks for them', async () => {
  const login = { user: 'ute@example.com', password: 'p@ss:word/1' };
  const guarded = await mailServer({ login });
  await smtp(guarded.url).send(mail, MESSAGE_ID);
  expect(guarded.received).toHaveLength(1);
  const wrong = await failureOf(smtp(guarded.url.replace(/:[^:@]+@/, ':wrong@')).send(mail, MESSAGE_ID));
  expect(wrong).toBeInstanceOf(ProviderError);
  expect(wrong).not.toBeInstanceOf(MessageRefusedError);
  await guarded.close();
});

describe('where TLS is asked for', () => {
  const refused = async (host: MailServer, tls: 'always' | 'upgrade') => {
    const port = Number(new URL(host.url).port);
    const from = { name: '', address: 'hello@ute.example' };
    const noCredentials = { user: '', password: '' };
    const provider = smtpMail(
      { provider: 'smtp', host: '127.0.0.1', port, tls, ...noCredentials, from },
      LONG_TIMEOUT,
    );
    providers.push(provider);
    const failure = await failureOf(provider.send(mail, MESSAGE_ID));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).not.toBeInstanceOf(MessageRefusedError);
    expect(host.received).toEqual([]);
  };

  test('a server without STARTTLS gets no word', () => refused(server, 'upgrade'));

  test.each(['always', 'upgrade'] as const)(
    'a server without a trusted certificate gets no word (%s)',
    async (tls) => {
      // The server says aloud that its certificate is for tests.
      const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
      const stranger = await mailServer({ tls });
      warned.mockRestore();
      await refused(stranger, tls);
      await stranger.close();
    },
  );
});

describe('what the server says decides', () => {
  test.each([
    ['RCPT', 550, true],
    ['DATA', 554, true],
    ['RCPT', 450, false],
    ['DATA', 451, false],
    ['MAIL', 421, false],
    // Our own address is refused: that is for the operator to mend.
    ['MAIL', 553, false],
  ] as const)('a %s answered with %i is final: %s', async (at, code, isFinal) => {
    server.behave({ how: 'refuses', at, code });
    const failure = await failureOf(smtp().send(mail, MESSAGE_ID));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure instanceof MessageRefusedError).toBe(isFinal);
    expect(failure).not.toBeInstanceOf(DeliveryUncertainError);
    expect(String(failure)).toContain(`answered ${code}`);
    expect(String(failure)).not.toContain('dave');
    server.behave({ how: 'takes' });
    await smtp().send(mail, MESSAGE_ID);
  });
});

test.each(['falls-silent', 'hangs-up'] as const)(
  'a server that %s after taking it is not believed to have it, nor to have nothing',
  async (how) => {
    server.behave({ how });
    const provider = smtp(server.url, how === 'falls-silent' ? SHORT_TIMEOUT : LONG_TIMEOUT);
    expect(await failureOf(provider.send(mail, MESSAGE_ID))).toBeInstanceOf(DeliveryUncertainError);
    server.behave({ how: 'takes' });
    await provider.send(mail, MESSAGE_ID);
    expect(server.received.map(({ parsed }) => parsed.messageId)).toEqual([MESSAGE_ID, MESSAGE_ID]);
  },
);

test('a server that is not there, or is none, is a failure to be tried again', async () => {
  const web = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello') });
  for (const url of ['smtp://127.0.0.1:1', `smtp://127.0.0.1:${web.port}`]) {
    const failure = await failureOf(smtp(url, SHORT_TIMEOUT).send(mail, MESSAGE_ID));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).not.toBeInstanceOf(MessageRefusedError);
    expect(failure).not.toBeInstanceOf(DeliveryUncertainError);
  }
  await web.stop(true);
});

test('a server that restarts between two mails gets both', async () => {
  const provider = smtp();
  await provider.send(mail, MESSAGE_ID);
  server.drop();
  const again = () =>
    provider.send(mail, MESSAGE_ID).then(
      () => 'taken',
      () => 'not yet',
    );
  await expect.poll(again).toBe('taken');
  expect(server.received).toHaveLength(2);
});

test('many at once all arrive, once each', async () => {
  const provider = smtp();
  const ids = Array.from({ length: 50 }, (_, n) => `<${n}@jobs.example.com>`);
  await Promise.all(ids.map((id) => provider.send(mail, id)));
  expect(server.received.map(({ parsed }) => parsed.messageId).toSorted()).toEqual(ids.toSorted());
});
