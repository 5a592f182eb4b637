import { createTransport } from 'nodemailer';
import type { MailSettings } from '#api/config/messages.ts';
import { ProviderError } from '#api/providers/outside/fetch-json.ts';
import { MessageRefusedError } from '#api/providers/outside/message-refused.ts';
import type { MailProvider } from './mail.ts';

export type SmtpSettings = Extract<MailSettings, { provider: 'smtp' }>;

/** How long a mail server may be silent, in milliseconds: less than the outbox waits for a message. */
const PATIENCE = 10_000;

/**
 * Mail through any server that speaks SMTP. A server that refuses the recipient or the words for good (5xx) is believed;
 * everything else, wrong passwords and an unknown sender among it, may be mended and is tried again.
 */
export function smtpMail(settings: SmtpSettings, patience = PATIENCE): MailProvider {
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
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    dnsTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Of a connection that breaks while nobody uses it; unheard, it would end the process.
  transport.on('error', () => {});
  return {
    name: 'smtp',
    async send({ to, subject, text, html, replyTo, headers }, messageId) {
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
          headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw failure(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** What nodemailer says, without the server's own words: they repeat addresses. */
function failure(error: unknown): ProviderError {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  if (responseCode === undefined) return new ProviderError('smtp', `failed (${code ?? 'unknown'})`);
  const isFinal =
    responseCode >= 500 && (command === 'RCPT TO' || (command === 'DATA' && code === 'EMESSAGE'));
  const reason = `answered ${responseCode} to ${command ?? 'us'}`;
  return isFinal
    ? new MessageRefusedError('smtp', reason, responseCode)
    : new ProviderError('smtp', reason, responseCode);
}
