import { createTransport } from 'nodemailer';
import type { Config } from '#api/runtime/config/config.ts';
import type { MailSettings } from '#api/runtime/config/messages.ts';
import { DeliveryUncertainError, MessageRefusedError, ProviderError } from './http-client.ts';
import type { MailProvider } from './messages.ts';
import type { OutboxPage } from './outbox-page.ts';

export type SmtpSettings = Extract<MailSettings, { provider: 'smtp' }>;

/** How long a mail server may be silent, in milliseconds: less than the outbox waits for a message. */
const TIMEOUT = 10_000;

/**
 * Mail through any server that speaks SMTP. A server that refuses the recipient or the words for good (5xx) is believed;
 * everything else, wrong passwords and an unknown sender among it, may be mended and is tried again. One that had the whole
 * message and says nothing more may have taken it.
 */
export function smtpMail(settings: SmtpSettings, timeout = TIMEOUT): MailProvider {
  const { host, port, tls, user, password, from } = settings;
  const transport = createTransport({
    pool: true,
    maxConnections: 4,
    // A message whose connection broke may be out already: whether it goes again is the outbox's to say.
    maxRequeues: 0,
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'upgrade',
    ignoreTLS: tls === 'off',
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Of a connection that breaks while it is idle; unheard, it would end the process.
  transport.on('error', () => {});
  /** Message-IDs of what the server has been given to the last byte. */
  const given = new Set<string>();
  transport.use('stream', ({ data, message }, done) => {
    message?.processFunc((content) => content.once('end', () => given.add(String(data.messageId))));
    done();
  });
  return {
    name: 'smtp',
    async send({ to, subject, text, html, replyTo, headers, attachments = [] }, messageId) {
      try {
        await transport.sendMail({
          from,
          // As an object: a string would be parsed, and might be more than one address.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          html,
          messageId,
          ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
          // In base64: what mail servers do to lines and dashes would break a signature.
          attachments: attachments.map(({ name, text: content }) => ({
            ...{ filename: name, content, contentType: 'text/plain; charset=utf-8' },
            contentTransferEncoding: 'base64' as const,
          })),
          headers: { ...unfolded(headers), 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw failure(error, given.has(messageId));
      } finally {
        given.delete(messageId);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** As they are: some who look for an address in a header look at its first line alone. */
function unfolded(headers: Readonly<Record<string, string>> = {}) {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isAscii(value) ? { prepared: true, value } : value]),
  );
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** What nodemailer says, without the server's own words: they repeat addresses. */
function failure(error: unknown, isGiven: boolean): ProviderError {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  if (responseCode === undefined) {
    const Failure = isGiven ? DeliveryUncertainError : ProviderError;
    return new Failure('smtp', `failed (${code ?? 'unknown'})`);
  }
  const isFinal =
    responseCode >= 500 && (command === 'RCPT TO' || (command === 'DATA' && code === 'EMESSAGE'));
  const reason = `answered ${responseCode} to ${command ?? 'us'}`;
  return isFinal
    ? new MessageRefusedError('smtp', reason, responseCode)
    : new ProviderError('smtp', reason, responseCode);
}

/** Embedded mail: goes nowhere but to the page /dev/outbox. */
export function outboxPageMail(page: OutboxPage, now: () => Date): MailProvider {
  return {
    name: 'outbox',
    send: (mail, messageId) =>
      page.keep({ id: messageId.replace(/^<|@.*$/g, ''), takenAt: now(), channel: 'mail', mail }),
  };
}

/** The mail that the environment asks for; without a word of it, the outbox's page. */
export function configuredMail(
  config: Pick<Config, 'mail'>,
  page: OutboxPage,
  now: () => Date,
): MailProvider {
  return config.mail.provider === 'smtp' ? smtpMail(config.mail) : outboxPageMail(page, now);
}
