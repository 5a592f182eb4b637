/** Endings of web addresses that no sentence makes by a missing space. */
const ENDINGS =
  'com|net|org|biz|info|gov|edu|co|io|ai|dev|xyz|asia|melbourne|sydney|kiwi|au|nz|uk|us|eu|de|fr|cn|ru|ph|sg|tv|cc|ly|gl|gg';
/** Endings that are words as well: `done.Me too` is no address, `t.me/bob` is one. */
const WORDS =
  'me|is|it|to|so|in|at|be|am|my|no|do|page|live|today|email|chat|services|company|click|world|link|site|website|online|shop|store|app|plumbing|builders';
const LABELS = String.raw`(?<![\p{L}\d@-])(?:[\p{L}\d][\p{L}\d-]{0,62}\.){1,10}`;
const REST = String.raw`[^\s<>()]{0,2000}`;

const source = (ended: string) =>
  String.raw`(?:https?:\/\/|(?<![\p{L}\d])www\.)${REST}|${LABELS}(?:${ended})`;

/** Web addresses in a text: with `http://` or `www.`, or by their ending. */
export const webAddresses = new RegExp(
  source(String.raw`(?:${ENDINGS})(?![\p{L}\d-])(?:[:\/?#]${REST})?|(?:${WORDS})\/${REST}`),
  'giu',
);

const anyEnding = new RegExp(source(String.raw`(?:${ENDINGS}|${WORDS})(?![\p{L}\d-])`), 'iu');
/** The dot of `A.J.Plumbing` and `Smith Bros.Builders`: the word of a trade with a capital begins anew. */
const TRADE_DOT = /(?<=\p{L})\.(?=(?:Plumbing|Builders|Services|Company)(?![\p{L}\d.-]))/gu;

/** Whether a name reads like the address of a page or of a mailbox: `Fixit.com.au`, `plumb.it`, `bob@fixit`. */
export function namesAnAddress(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return anyEnding.test(spaced(plain)) || /:\/\/|\S@\S/.test(plain);
}

/** A name with a space after the dots that `namesAnAddress` takes for those of a sentence: no mail program makes a link of it. */
export function spaced(name: string): string {
  return name.replace(TRADE_DOT, '. ');
}
