import { isEmail } from '#core/values/contact.ts';
import { isStoredPhone } from '#core/values/phone.ts';
import { singleLine } from '#core/values/text.ts';
import { choice, type EnvironmentReader, origin, text } from './environment-reader.ts';

/** Who takes our mail. `outbox` keeps it for the page /dev/outbox. */
export type MailSettings =
  | Readonly<{ provider: 'outbox' }>
  | Readonly<{
      provider: 'smtp';
      host: string;
      port: number;
      /** From the first byte (`smtps:`), by STARTTLS (`smtp:`), or not at all (`smtp:` on this machine, or `?tls=off`). */
      tls: 'always' | 'upgrade' | 'off';
      user: string;
      password: string;
      from: Readonly<{ name: string; address: string }>;
    }>;

/** Who takes our SMS. `from` is a number in E.164, a registered sender name, or Twilio's messaging service. */
export type SmsSettings =
  | Readonly<{ provider: 'outbox' }>
  | Readonly<{ provider: 'twilio'; account: string; token: string; from: string; url: string }>
  | Readonly<{ provider: 'messagemedia'; key: string; secret: string; from: string | null; url: string }>;

const URLS = { twilio: 'https://api.twilio.com', messagemedia: 'https://api.messagemedia.com' } as const;

/** Reads `SMTP_URL` and `MAIL_FROM`. Without an address of a mail server, mail is stored. */
export function readMailSettings(read: EnvironmentReader): MailSettings {
  const server = read.optional('SMTP_URL', smtpAddress);
  const from = read.optional('MAIL_FROM', mailbox);
  if (!server) return { provider: 'outbox' };
  if (!from && read.raw('MAIL_FROM') === undefined) read.problem('MAIL_FROM', 'is missing');
  return { provider: 'smtp', ...server, from: from ?? { name: '', address: '' } };
}

/** Reads `SMS` and what the chosen provider needs; `SMS_URL` puts something of yours before it. */
export function readSmsSettings(read: EnvironmentReader): SmsSettings {
  const provider = read.get('SMS', choice(['outbox', 'twilio', 'messagemedia'] as const), 'outbox');
  if (provider === 'outbox') return { provider };
  const url = read.get('SMS_URL', origin, URLS[provider]);
  const from = read.optional('SMS_FROM', smsSender);
  if (provider === 'messagemedia') {
    const [key, secret] = [required(read, 'MESSAGEMEDIA_KEY'), required(read, 'MESSAGEMEDIA_SECRET')];
    return { provider, url, key, secret, from: from ?? null };
  }
  if (!from && read.raw('SMS_FROM') === undefined) read.problem('SMS_FROM', 'is missing');
  const [account, token] = [required(read, 'TWILIO_ACCOUNT'), required(read, 'TWILIO_TOKEN')];
  return { provider, url, account, token, from: from ?? '' };
}

function required(read: EnvironmentReader, name: string): string {
  const value = read.optional(name, text(/^\S{4,200}$/, 'a key without spaces'));
  if (value === undefined && read.raw(name) === undefined) read.problem(name, 'is missing');
  return value ?? '';
}

/** `smtps://user:password@mail.example.com`, `smtp://…` for STARTTLS; `?tls=off` inside a network of yours. */
function smtpAddress(raw: string) {
  const url = URL.parse(raw);
  const wrong = new RangeError('an address such as smtps://user:password@mail.example.com:465');
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length > 1) throw wrong;
  const secure = url.protocol === 'smtps:';
  const options = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
  if (options.some((option) => option !== 'tls=off') || (secure && options.length > 0)) throw wrong;
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  const tls = secure ? 'always' : options.length > 0 || isHere ? 'off' : 'upgrade';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    tls,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  } as const;
}

/** `hello@ute.example` or `Ute <hello@ute.example>`. */
function mailbox(raw: string): { name: string; address: string } {
  const [, name = '', address = raw] = /^([^<>"]{0,60})<([^<>]+)>$/.exec(raw) ?? [];
  if (!isEmail(address)) throw new RangeError('an address such as Ute <hello@ute.example>');
  return { name: singleLine(name), address };
}

/** Carriers mark a name that is not registered with them as unverified: a number is the safe choice. */
function smsSender(raw: string): string {
  const isNumber = /^\+\d{8,15}$/.test(raw) || isStoredPhone(raw);
  if (isNumber || /^MG[0-9a-f]{32}$/.test(raw) || /^(?=.*[A-Za-z])[A-Za-z0-9 ]{3,11}$/.test(raw)) return raw;
  throw new RangeError('a number such as +61412345678, a registered name, or a messaging service of Twilio');
}
