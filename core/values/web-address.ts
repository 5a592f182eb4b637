import { plainText } from './plain-signs.ts';
import { isTopLevelDomain } from './top-level-domains.ts';

/** Endings of web addresses that no sentence makes by a missing space. */
const SURE = new Set(
  `com net org biz info gov edu co io ai dev xyz top icu vip cyou asia melbourne sydney kiwi au nz uk us eu de fr cn ru ph sg tv cc ly
   gl gg`.split(/\s+/),
);
/** Words after which a dot is that of a short form: `St.Kilda`, `Smith Bros.Builders`, `A.J.Plumbing`. */
const SHORT = 'st mt pt dr mr mrs ms jr sr jnr snr bros co pty ltd inc no nth sth assoc elec eng'
  .split(' ')
  .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]);
/** After it the next word begins with a capital, and nothing is joined to it: `A.J.plumbing` and `A.J.Plumbing/pay` are addresses. */
const SHORT_DOT = new RegExp(
  String.raw`(?<=(?<![\p{L}\d])(?:\p{L}|${SHORT.join('|')}))\.(?=(\p{Lu}\p{Ll}+|\p{Lu}{3,})(?![\p{L}\d:/?#-]|\.[\p{L}\d]))`,
  'gu',
);

const REST = String.raw`[^\s<>()]{0,2000}`;
const PATH = String.raw`(?::\d{1,5}(?!\d))?(?:[/?#]${REST})?`;
const WITH_SCHEME = new RegExp(
  String.raw`(?<![\p{L}\d])\p{L}[\p{L}\d+-]{1,20}:[/\\]{2}${REST}|(?<![\p{L}\d])www\.${REST}`,
  'giu',
);
const HOST = new RegExp(
  String.raw`(?<![\p{L}\d@-])((?:[\p{L}\d][\p{L}\d-]{0,62}\.){1,10}\p{L}[\p{L}\d-]{1,62})(${PATH})`,
  'giu',
);
const NUMBERS = new RegExp(
  String.raw`(?<![\p{L}\d.])((?:\d{1,3}\.){3}\d{1,3})(?![\p{L}\d]|\.\d)(${PATH})`,
  'gu',
);
/** An address whose dot was spelled or set apart, so that its reader puts it together. */
const TAKEN_APART =
  /(?<![\p{L}\d-])[\p{L}\d-]{1,63}(?:(?:\s{0,2}[([{]\s?(?:dot|\.)\s?[)\]}]\s{0,2}|\s{1,2}\.\s?)(?:com|net|org|info|biz|co|au|nz|top|xyz)|(?:\s{1,2}dot\s{1,2}|\.\s{1,2})com)(?![\p{L}\d])/giu;

/** Letters of other scripts that pass for ours in an ending. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    с: 'c',
    е: 'e',
    о: 'o',
    р: 'p',
    х: 'x',
    у: 'y',
    і: 'i',
    ѕ: 's',
    ј: 'j',
    ո: 'n',
    ν: 'v',
    ο: 'o',
  },
};

/** What every address has, and most texts have not: all of them are read while a job waits, and an export reads all jobs. */
const MAY_BE = /:[/\\]|\.\s{0,2}[\p{L}\d)\]}]|dot/iu;

type Span = readonly [from: number, to: number];

/** Where a text of plain signs (`plainSign`) holds web addresses: with a scheme or `www.`, or by how they end. */
export function webAddressesIn(text: string): Span[] {
  if (!MAY_BE.test(text)) return [];
  return [
    ...spansOf(text, WITH_SCHEME),
    ...spansOf(text, TAKEN_APART),
    ...Array.from(text.matchAll(NUMBERS))
      .filter(([, host = '', path]) => path !== '' && isNumeric(host))
      .map(spanOf),
    ...Array.from(text.matchAll(HOST)).flatMap(addressIn),
  ];
}

/** A host that a sentence's missing space does not explain, with its path; else the longest part of it from its begin. */
function addressIn({ index: from, 1: host = '', 2: path = '' }: RegExpExecArray): Span[] {
  const labels = host.split('.');
  if (path !== '' && isHost(labels)) return [[from, from + host.length + path.length]];
  for (let count = labels.length; count > 1; count -= 1) {
    if (!SURE.has(inLatin(labels[count - 1] ?? ''))) continue;
    return [[from, from + labels.slice(0, count).join('.').length]];
  }
  return [];
}

/** With a path behind it: any ending that is one, and any in small letters. `St.Kilda/Prahran` are two places. */
function isHost(labels: readonly string[]): boolean {
  const last = labels.at(-1) ?? '';
  return isEnding(last) || /^\p{Ll}/u.test(last);
}

function isNumeric(host: string): boolean {
  return host.split('.').every((part) => Number(part) <= 255);
}

function isEnding(label: string): boolean {
  return isTopLevelDomain(label) || isTopLevelDomain(inLatin(label));
}

function inLatin(label: string): string {
  return Array.from(label.toLowerCase(), (letter) => ALIKE[letter] ?? letter).join('');
}

/**
 * Whether a name reads like the address of a page or of a mailbox: `Fixit.com.au`, `plumb.it`, `1.2.3.4`, `bob@fixit`. In a name every
 * ending of the public list counts, unless the dot is that of a short form: `A.J.Plumbing`, `Dr.Smith`.
 */
export function namesAnAddress(name: string): boolean {
  const plain = spaced(plainText(name));
  if (/:[/\\]{2}|\S@\S/.test(plain) || webAddressesIn(plain).length > 0) return true;
  if (Array.from(plain.matchAll(NUMBERS)).some(([, host = '']) => isNumeric(host))) return true;
  return Array.from(plain.matchAll(HOST)).some(([, host = '']) => host.split('.').slice(1).some(isEnding));
}

/** A name with a space after the dots of short forms: no mail program makes a link of it. */
export function spaced(name: string): string {
  return name.replace(SHORT_DOT, (dot, word: string) => (SURE.has(word.toLowerCase()) ? dot : '. '));
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), spanOf);
}

function spanOf({ index, 0: found }: RegExpExecArray): Span {
  return [index, index + found.length];
}
