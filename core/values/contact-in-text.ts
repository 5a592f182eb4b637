import { placeIn } from './place.ts';
import { isPlain, plainSign } from './plain-signs.ts';
import { webAddressesIn } from './web-address.ts';

/** What stands in the place of a phone number or an address that is withheld. */
export const hiddenContact = '(hidden until you accept)';
/** The same while the customer's details are being removed from a job that was accepted. */
export const withheldContact = '(withheld)';
/** The same in a mail that holds what a stranger typed. */
export const leftOut = '(left out)';

const MAIL_HOSTS = 'gmail|hotmail|outlook|yahoo|icloud|bigpond|optusnet|xtra|proton|protonmail';
const ADDRESSES = [
  String.raw`[^\s@<>(),;]{1,64}@(?:\p{L}[\p{L}\d._-]{0,250}|[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){0,8}\.\p{L}{2,20})`,
  String.raw`[^\s@<>(),;]{1,64}\s{0,2}@\s{1,2}[\p{L}\d-]{1,63}(?:\s?\.\s?[\p{L}\d-]{1,63}){0,4}\.\p{L}{2,20}`,
  String.raw`[^\s@<>(),;]{1,64}\s{0,2}[(\[{]\s?at\s?[)\]}]\s{0,2}[\p{L}\d-]{1,63}(?:\s{0,2}(?:\.|[(\[{]\s?dot\s?[)\]}]|dot)\s{0,2}[\p{L}\d-]{1,63}){0,4}`,
  String.raw`[^\s@<>(),;]{1,64}\sat\s[\p{L}\d-]{1,63}(?:\sdot\s(?:com|net|org|co|au|nz)(?![\p{L}\d])){1,3}`,
  String.raw`[^\s@<>(),;]{1,64}\sat\s(?:${MAIL_HOSTS})(?![\p{L}\d])(?:\.[\p{L}\d-]{1,63}){0,3}`,
  String.raw`(?<![\p{L}\d])@[\p{L}_][\p{L}\d._-]{1,60}`,
].map((source) => new RegExp(source, 'giu'));

/** What every such address has, and most texts have not: all of them are read while a job waits, and an export reads all jobs. */
const MAY_NAME_A_MAILBOX = /@|[\s([{]at[\s)\]}]/iu;

/** What people put between the digits of one number. */
const S = String.raw`(?:[\s().\[\]\/_*|~+·•-]|,(?!\s)){0,3}`;
const more = (least: number, most = least) => String.raw`(?:${S}\d){${least},${most}}(?!\d)`;
/** The signs of a list, which part numbers in groups alone: '02:00, 10000 mm' is a time and a length. */
const LISTED = String.raw`\s{0,2}[,:;]?\s{0,2}`;

/** Numbers that begin as no amount does: with a plus, the country's code or a zero. */
const WITH_PREFIX = [
  String.raw`\+${S}6${S}1(?:${S}0)?${more(9)}`,
  String.raw`\+${S}\d${more(7, 14)}`,
  `0${S}0${S}6${S}[14]${more(8, 11)}`,
  `0${S}[23478]${more(8)}`,
  `0${S}2${more(7, 9)}`,
  `0${S}[34679]${more(7)}`,
  `0${S}[58]${S}0${S}[08]${more(6, 7)}`,
  String.raw`0(?:4\d\d|2\d)${LISTED}\d{3}${LISTED}\d{3,4}(?!\d)`,
  String.raw`0[2-9]${LISTED}\d{4}${LISTED}\d{4}(?!\d)`,
];
/** Numbers that could be amounts or lengths: they are looked at twice. */
const BARE = [
  `6${S}1(?:${S}0)?${S}[23478]${more(8)}`,
  `6${S}4(?:${S}0)?${S}[2-9]${more(7, 9)}`,
  `4${more(8)}`,
  `1${S}[38]${S}0${S}0${more(6)}`,
  String.raw`(?<![\p{L}\d_-])[2-9]\d{3}[\s.-]?\d{4}(?![\p{L}\d_-]*\d)(?!\d)`,
];
const PREFIXED = new RegExp(String.raw`(?<!\d)(?:${WITH_PREFIX.join('|')})`, 'gu');
const UNPREFIXED = new RegExp(String.raw`(?<!\d)(?<!\d[.,])(?:${BARE.join('|')})`, 'gu');

/** Words of more than one letter: `m` and `w` end sentences about numbers too, and no length has eight digits. */
const UNIT = /^\s?(?:mm|cm|km|kg|kw|sqm|m2|psi|kpa|litres?|dollars|bucks)(?![\p{L}\d])/iu;
const CALL = /(?:call|ring|rang|phone|ph|tel|text|txt|sms|mob|mobile|cell|on|number|no)[\s:.#-]{0,3}$/iu;
const LABEL =
  /(?:model|serial|part|item|order|ref|reference|code|sku|nmi|mirn|meter|invoice|policy|claim|abn|acn|nzbn)(?:\s+(?:no|number|nr))?[\s#:.]{0,3}$/iu;
const PRICE = /[$€£]\s?$/u;

/** Numbers that are no phone's, whatever they look like: a day, and an id in hexadecimal groups. */
const DAY =
  /(?<![\d/.-])(?:(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:(?:19|20)\d\d|[2-4]\d)|(?:19|20)\d\d([/.-])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01]))(?!\d|[/.-]\d)/gu;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/giu;
const BARE_DAY =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d)$/u;

type Span = readonly [from: number, to: number];

/**
 * A customer's text without phone numbers, email addresses, web addresses and names with @ in it. Prices, days, lengths
 * and postcodes stay. Whatever digits, dashes and signs of full width people use count as the plain ones do.
 */
export function withoutContact(text: string, instead = hiddenContact): string {
  const { folded, at } = fold(text);
  const spans = contactIn(folded);
  let shown = '';
  let end = 0;
  for (const [from, to] of spans) {
    shown += text.slice(end, at(from)) + instead;
    end = at(to);
  }
  return shown + text.slice(end);
}

/** Where a folded text holds contact, in order, apart from each other. */
function contactIn(text: string): Span[] {
  const mailboxes = MAY_NAME_A_MAILBOX.test(text)
    ? ADDRESSES.flatMap((pattern) => spansOf(text, pattern))
    : [];
  const addresses = [...mailboxes, ...webAddressesIn(text)];
  if (!/\d/.test(text)) return merged(addresses);
  const safe = [...spansOf(text, DAY), ...spansOf(text, UUID), ...mailboxes];
  // Not without web addresses: the middle of `0412 (3.4.5.6/78` would be one of four bytes, and its beginning would stay.
  const sure = spansOf(blank(text, safe), PREFIXED);
  const rest = blank(text, [...safe, ...addresses, ...sure]);
  const numbers = spansOf(rest, UNPREFIXED).filter((span) => isNumberOfPhone(rest, span));
  return merged([...addresses, ...sure, ...numbers]);
}

function isNumberOfPhone(text: string, [from, to]: Span): boolean {
  const [before, number] = [text.slice(Math.max(0, from - 30), from), text.slice(from, to)];
  if (PRICE.test(before) || LABEL.test(before) || UNIT.test(text.slice(to, to + 10))) return false;
  if (BARE_DAY.test(number)) return false;
  const groups = number.match(/\d+/gu) ?? [];
  return CALL.test(before) || !(isRound(groups) || isRange(number) || areYears(groups));
}

/** '4500 5000', '450 600 900': several lengths or amounts. In fours, only hundreds are round: local numbers end in 0 too. */
function isRound(groups: readonly string[]): boolean {
  const end = groups.every(({ length }) => length === 4) ? '00' : '0';
  return groups.length > 1 && groups.every((group) => group.endsWith(end));
}

/** '2450-2456 Gold Coast Hwy', '3500-4999': from a house or an amount to one that is larger, by less than half of it. */
function isRange(number: string): boolean {
  const [, from, to] = /^(\d{4})\s?-\s?(\d{4})$/u.exec(number) ?? [];
  return Number(from) < Number(to) && Number(to) < Number(from) * 1.5;
}

function areYears(groups: readonly string[]): boolean {
  return groups.length === 2 && groups.every((group) => /^(?:19|20)\d\d$/u.test(group));
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => [index, index + found.length] as const);
}

/** The same text with letters where the spans are, so that nothing is read across them. */
function blank(text: string, spans: readonly Span[]): string {
  return spans.reduce(
    (rest, [from, to]) => rest.slice(0, from) + 'x'.repeat(to - from) + rest.slice(to),
    text,
  );
}

function merged(spans: readonly Span[]): Span[] {
  const apart: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}

/** The text in plain signs, without what cannot be seen; `at` says where in the text a sign of it comes from. */
function fold(text: string): Readonly<{ folded: string; at: (index: number) => number }> {
  if (isPlain(text)) return { folded: text, at: (index) => index };
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const sign of text) {
    const plain = plainSign(sign);
    for (let index = 0; index < plain.length; index += 1) places.push(place);
    folded += plain;
    place += sign.length;
  }
  return { folded, at: (index) => places[index] ?? text.length };
}

/** A sign that no place has in its name: what stood beside contact is no place either. */
const IN_PLACE_OF_CONTACT = '@';
/**
 * The suburb or town of an address as people write it, with its state, without street, number and postcode:
 * '22/140 Lygon St, Brunswick East VIC 3057' is in 'Brunswick East VIC'. Null where that cannot be told for sure. Holds no
 * contact of a customer, whatever was typed into the address: it stands in mail and in links of jobs that are not accepted.
 */
export function suburbOf(address: string): string | null {
  return placeIn(withoutContact(address, IN_PLACE_OF_CONTACT));
}
