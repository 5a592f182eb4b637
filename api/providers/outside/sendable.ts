import type { Mail } from '#api/providers/mail/mail.ts';
import type { Sms } from '#api/providers/sms/sms.ts';
import { isEmail, parsePhone } from '#core/values/contact.ts';
import { isWellFormed } from '#core/values/text.ts';
import { MessageRefusedError } from './message-refused.ts';

/** The longest line a mail server must take, less the header's own name. */
const LONGEST_HEADER = 900;
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
  if (!isWellFormed(mail.text) || !isWellFormed(mail.html)) throw refused('is malformed');
  return mail;
}

/** The SMS itself, when it can go out as it is: to one Australian or New Zealand mobile; else throws `MessageRefusedError`. */
export function sendableSms(sms: Sms): Sms {
  if (parsePhone(sms.to) !== sms.to) throw refused('is addressed to nobody');
  if (!isWellFormed(sms.text) || sms.text.trim() === '') throw refused('is malformed');
  if (sms.text.length > LONGEST_SMS) throw refused('is too long');
  return sms;
}

/** Control characters end a header, or look as if they did. */
function isHeader(text: string): boolean {
  return isWellFormed(text) && text.length <= LONGEST_HEADER && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function refused(what: string): MessageRefusedError {
  return new MessageRefusedError('message', what);
}
