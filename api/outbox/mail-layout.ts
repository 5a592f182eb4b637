import { escapeHtml } from '#api/http/plain-page.ts';
import type { Mail, MailAttachment } from '#api/providers/messages.ts';
import { type AccountState, isEmailTrusted } from '#core/account/state.ts';
import { product } from '#core/values/product.ts';
import { contrast, inkOn } from '#core/values/readable-ink.ts';
import { singleLine } from '#core/values/text.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { namesAnAddress } from '#core/values/web-address.ts';

export type MailParts = Readonly<{
  to: string;
  subject: string;
  heading: string;
  /** Plain text, one paragraph each; a line break inside one stays. */
  paragraphs: readonly string[];
  /** What the reader may do; `url` is absolute and ours. */
  action?: Readonly<{ label: string; url: string }>;
  /** Why this person gets this mail: `You asked for a new password for your Ute account.` */
  why: string;
  /** A line for later, apart from what is read today, with what it is. */
  footNote?: Readonly<{ about: string; line: string }>;
  /** The colour of the business that the mail is from; the product's own, if absent. */
  colour?: ThemeColour | typeof OURS;
  /** What the reader may do about getting this at all; `url` is absolute and ours. */
  footLink?: Readonly<{ label: string; url: string }>;
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly MailAttachment[];
}>;

const OURS = '#ffc629';
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * A mail in the product's look, as HTML and as text: readable on a phone, without images, in light and dark. Everything is
 * escaped; a subject is cut to one line.
 */
export function mailOf(parts: MailParts): Mail {
  const { to, replyTo, headers, attachments } = parts;
  return {
    to,
    subject: singleLine(parts.subject),
    text: textOf(parts),
    html: htmlOf(parts),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(headers === undefined ? {} : { headers }),
    ...(attachments === undefined ? {} : { attachments }),
  };
}

function textOf({ heading, paragraphs, action, why, footNote, footLink }: MailParts): string {
  const blocks = [heading, ...paragraphs];
  if (action) blocks.push(`${action.label}:\n${action.url}`);
  blocks.push(['-- ', product.name, why].join('\n'));
  if (footLink) blocks.push(`${footLink.label}:\n${footLink.url}`);
  if (footNote) blocks.push(`${footNote.about}\n${footNote.line}`);
  return `${blocks.join('\n\n')}\n`;
}

/** Tables and inline styles: mail programs know little else. The style element only serves those that do. */
function htmlOf({
  subject,
  heading,
  paragraphs,
  action,
  why,
  footNote,
  footLink,
  colour = OURS,
}: MailParts): string {
  return `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(singleLine(subject))}</title>
<style>
:root { color-scheme: light dark; }
a { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  .page { background: #131310 !important; }
  .card { background: #1d1c17 !important; border-color: ${colour} #3a382d #3a382d !important; }
  .button { border-color: #c6c2b0 !important; }
  .ink { color: #f6f5ef !important; }
  .meta, .meta a { color: #c6c2b0 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f5ef;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(paragraphs[0] ?? '')}</div>
<div role="main">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5ef">
<tr><td align="center" style="padding:24px 12px 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 12px 16px;font:800 26px/1 ${FONT};letter-spacing:-0.5px;color:#1b1a14">${product.name}</td></tr>
<tr><td class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #deddcd;border-top:4px solid ${colour};border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;font:700 24px/1.25 ${FONT};color:#1b1a14">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${action ? button(action, colour) : ''}
</td></tr>
<tr><td class="meta" style="padding:20px 12px 0;font:400 14px/1.5 ${FONT};color:#525041;overflow-wrap:anywhere">${escapeHtml(why)}${footLink ? inFoot(footLink) : ''}</td></tr>
${footNote ? inNote(footNote) : ''}
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

function inFoot({ label, url }: NonNullable<MailParts['footLink']>): string {
  return `<br><a href="${escapeHtml(url)}" style="display:inline-block;padding:14px 0;color:#525041">${escapeHtml(label)}</a>`;
}

function inNote({ about, line }: NonNullable<MailParts['footNote']>): string {
  return `<tr><td class="meta" style="padding:20px 12px 0;font:400 12px/1.5 ${FONT};color:#525041;overflow-wrap:anywhere">${escapeHtml(about)}<br>${escapeHtml(line)}</td></tr>`;
}

/** What bounds a button on white paper: its own colour where that is seen, the product's brown for its yellow, else grey. */
function edgeOf(colour: string): string {
  if (colour === OURS) return '#8a6200';
  return contrast(colour, '#ffffff') >= 3 ? colour : '#525041';
}

function paragraph(text: string): string {
  const lines = text.split('\n').map(escapeHtml).join('<br>');
  return `<p class="ink" style="margin:0 0 16px;font:400 17px/1.5 ${FONT};color:#1b1a14;overflow-wrap:anywhere">${lines}</p>`;
}

/** The address itself stands below the button, for a reader who copies it. */
function button({ label, url }: NonNullable<MailParts['action']>, colour: string): string {
  const href = escapeHtml(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 20px"><tr>
<td class="button" style="background:${colour};border:2px solid ${edgeOf(colour)};border-radius:10px"><a href="${href}" style="display:block;padding:14px 24px;font:700 17px/1.2 ${FONT};color:${inkOn(colour)};text-decoration:none">${escapeHtml(label)}</a></td>
</tr></table>
<p class="meta" style="margin:0;font:400 14px/1.5 ${FONT};color:#525041;overflow-wrap:anywhere">Or open this address: <a href="${href}" style="color:#525041">${href}</a></p>`;
}

/**
 * Before what a mail says to an account's owner; without the name, which was typed, until a link came back from the address, and without
 * one that has an address in it.
 */
export function greeted(account: NonNullable<AccountState>, sentence: string): string {
  if (isEmailTrusted(account) && !namesAnAddress(account.firstName))
    return `Hello ${account.firstName}, ${sentence}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
