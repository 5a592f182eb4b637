import { InvalidInputError } from '#core/kernel/errors.ts';
import type { NotificationName } from '#core/values/account.ts';
import { isWellFormed } from '#core/values/text.ts';

type SubscriptionRule = Readonly<{
  /** The toggle by which an owner asks for it. */
  toggle: NotificationName;
  /** As it reads in a sentence: `Unsubscribe from …`. */
  name: string;
  /** `You get this because …`. */
  isOn: string;
}>;

/** What can be announced. */
export const announcementKinds = {
  'product-update': { toggle: 'productUpdates', name: 'product updates', isOn: 'product updates are on' },
  newsletter: { toggle: 'newsletter', name: 'the newsletter', isOn: 'the newsletter is on' },
} as const satisfies Record<string, SubscriptionRule>;

export type AnnouncementKind = keyof typeof announcementKinds;

export const announcementKindNames = Object.keys(announcementKinds) as AnnouncementKind[];

/** What a link in a mail unsubscribes from. The order is that of the links: a new kind goes to the end. */
export const subscriptions = {
  'product-update': announcementKinds['product-update'],
  newsletter: announcementKinds.newsletter,
  'weekly-record': { toggle: 'weeklyRecord', name: 'the weekly record', isOn: 'the weekly record is on' },
} as const satisfies Record<string, SubscriptionRule>;

export type Subscription = keyof typeof subscriptions;

export const subscriptionNames = Object.keys(subscriptions) as Subscription[];

/** What the operator wrote: a subject of one line, and the rest of the file. */
export type AnnouncementText = Readonly<{ subject: string; body: string }>;

/** The body as a mail shows it. `action` is the one link that stands by itself, absolute. */
export type AnnouncementBlocks = Readonly<{
  paragraphs: readonly string[];
  action?: Readonly<{ label: string; url: string }>;
}>;

const LONGEST_SUBJECT = 120;
const LONGEST_BODY = 20_000;
const LINK = /^\[([^[\]]{1,60})\]\(([^()\s]{1,500})\)$/;
const ITEM = /^[-*] +/;
/** What Markdown knows and a mail of ours does not: it would be read as it stands. */
const MARKUP = /^(#|>|```|\||\d+\. *$)|\*\*|__|\]\(|!\[|<\/?[a-z]/i;

/**
 * Reads an announcement's file: `# Subject` first, then paragraphs between empty lines. A line that begins with `- ` is an
 * item of a list; a paragraph that is `[Label](/path)` is the button, for a page of ours at `origin`. Throws
 * InvalidInputError that names the line.
 */
export function readAnnouncementText(source: string, origin: string): AnnouncementText {
  if (!isWellFormed(source)) throw new InvalidInputError('The file is not text in UTF-8.');
  const lines = source
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', ' ').trim());
  for (const [index, line] of lines.entries()) {
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) throw wrong(index, 'holds a control character');
  }
  const first = lines.findIndex((line) => line !== '');
  const subject = /^# +(.+)$/.exec(lines[first] ?? '')?.[1];
  if (subject === undefined)
    throw wrong(Math.max(first, 0), 'is not the subject: begin with `# What it is about`');
  if (subject.length > LONGEST_SUBJECT) throw wrong(first, `is longer than ${LONGEST_SUBJECT} characters`);
  const body = lines
    .slice(first + 1)
    .join('\n')
    .trim();
  if (body === '') throw new InvalidInputError('There is nothing below the subject.');
  if (body.length > LONGEST_BODY)
    throw new InvalidInputError(`The text is longer than ${LONGEST_BODY} characters.`);
  checkLines(lines, first + 1, origin);
  return { subject, body };
}

/** The paragraphs of a body that `readAnnouncementText` took. Lines within one are joined; items of a list stay lines. */
export function blocksOf(body: string, origin: string): AnnouncementBlocks {
  const blocks = body.split(/\n{2,}/);
  const link = blocks.map((block) => LINK.exec(block)).find((found) => found !== null);
  const url = link && ownUrl(link[2] ?? '', origin);
  return {
    paragraphs: blocks.filter((block) => !LINK.test(block)).map(joined),
    ...(link && url ? { action: { label: link[1] ?? '', url } } : {}),
  };
}

function joined(block: string): string {
  return block
    .split('\n')
    .map((line) => line.replace(ITEM, '• '))
    .reduce((text, line) => `${text}${line.startsWith('• ') ? '\n' : ' '}${line}`);
}

function checkLines(lines: readonly string[], from: number, origin: string): void {
  let links = 0;
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    const link = LINK.exec(line);
    if (link) {
      const isAlone = (lines[index - 1] ?? '') === '' && (lines[index + 1] ?? '') === '';
      if (!isAlone) throw wrong(index, 'is a link that is no paragraph of its own');
      if (ownUrl(link[2] ?? '', origin) === null) throw wrong(index, `leads elsewhere than to ${origin}`);
      if ((links += 1) > 1) throw wrong(index, 'is a second link: there is one button');
    } else if (MARKUP.test(line)) throw wrong(index, 'holds markup, which would be read as it stands');
  }
  if (links > 0 && lines.slice(from).every((line) => line === '' || LINK.test(line)))
    throw new InvalidInputError('There is a link and no words.');
}

/** An address of ours, absolute; null for any other. */
function ownUrl(address: string, origin: string): string | null {
  const url = URL.parse(address, origin);
  return url?.origin === origin && url.username === '' ? url.href : null;
}

function wrong(index: number, what: string): InvalidInputError {
  return new InvalidInputError(`Line ${index + 1} ${what}.`);
}
