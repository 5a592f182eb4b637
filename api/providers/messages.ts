import { isEmail } from '#core/values/contact.ts';
import { gsmText } from '#core/values/gsm-text.ts';
import { isStoredPhone } from '#core/values/phone.ts';
import { isWellFormed } from '#core/values/text.ts';
import { MessageRefusedError } from './http-client.ts';

/** The longest line a mail server must take, less the header's own name. */
const LONGEST_HEADER = 900;
/** A few kilobytes: texts of ours, no files of users. */
const LONGEST_ATTACHMENT = 16_384;
/** Ten parts of an SMS. */
const LONGEST_SMS = 1_530;
/** What says from whom, to whom and about what is ours to say. */
const OURS =
  /^(to|cc|bcc|from|sender|reply-to|subject|date|message-id|return-path|auto-submitted|mime-version|content-.*|received|dkim-.*|resent-.*)$/i;

/** The mail itself, when it can go out as it is; else throws `MessageRefusedError`: one recipient, no second line in a header. */
export function sendableMail(mail: Mail): Mail {
  if (!isEmail(mail.to)) throw refused('is addressed to nobody');
  if (mail.replyTo !== undefined && !isEmail(mail.replyTo)) throw refused('answers to nobody');
  if (!isHeader(mail.subject) || mail.subject.trim() === '') throw refused('has no subject of one line');
  for (const [name, value] of Object.entries(mail.headers ?? {})) {
    if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(name) || OURS.test(name)) throw refused('has a header of ours');
    if (!isHeader(value)) throw refused('has a header of two lines');
  }
  for (const { name, text } of mail.attachments ?? []) {
    if (!/^[a-z0-9][a-z0-9-]{0,60}\.txt$/.test(name)) throw refused('has an attachment without a plain name');
    if (!isWellFormed(text) || text.length > LONGEST_ATTACHMENT) throw refused('has a malformed attachment');
  }
  if (!isWellFormed(mail.text) || !isWellFormed(mail.html)) throw refused('is malformed');
  return mail;
}

/** The SMS as it goes out, in the signs that all phones share where that keeps its sense: to one Australian or New Zealand mobile; else throws `MessageRefusedError`. */
export function sendableSms(sms: Sms): Sms {
  if (!isStoredPhone(sms.to)) throw refused('is addressed to nobody');
  if (!isWellFormed(sms.text) || sms.text.trim() === '') throw refused('is malformed');
  const text = gsmText(sms.text);
  if (text.length > LONGEST_SMS) throw refused('is too long');
  return { ...sms, text };
}

/** Control characters end a header, or look as if they did. */
function isHeader(text: string): boolean {
  return isWellFormed(text) && text.length <= LONGEST_HEADER && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function refused(what: string): MessageRefusedError {
  return new MessageRefusedError('message', what);
}

/** One mail to one person. Addresses are plain (`dave@acme.example`); no field but `text` and `html` may hold a line break. */
export type Mail = Readonly<{
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  /** Further headers, such as List-Unsubscribe. Those that say from whom and to whom are not among them. */
  headers?: Readonly<Record<string, string>>;
  /** Small plain texts that go with it, byte for byte. `name` is a plain file name: `checkpoint.txt`. */
  attachments?: readonly MailAttachment[];
}>;

export type MailAttachment = Readonly<{ name: string; text: string }>;

/**
 * Sends mail. `messageId` is the same for every try of a message: it becomes its Message-ID, by which mail programs know
 * a repeat. Throws `MessageRefusedError` for what will never be taken, `ProviderError` for what may be taken later.
 */
export type MailProvider = Readonly<{
  name: string;
  send(mail: Mail, messageId: string): Promise<void>;
  close?(): Promise<void>;
}>;

/** `to` is E.164. */
export type Sms = Readonly<{ to: string; text: string }>;

/**
 * Sends an SMS. `reference` is the same for every try of a message, for providers that know a repeat by it. Throws
 * `MessageRefusedError` for what will never be taken, `ProviderError` for what may be taken later.
 */
export type SmsProvider = Readonly<{
  name: string;
  send(sms: Sms, reference: string): Promise<void>;
}>;
