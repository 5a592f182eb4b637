import type { ChosenAddress, Suggested } from './address-search.ts';

/** The value of an address field: its text, and the address that was chosen unless it was typed into since. */
export type AddressValue = Readonly<{ text: string; chosen: ChosenAddress | null }>;

/** A row of the list: a suggestion, or without an id the text as it was typed. */
export type AddressRow = Readonly<{ id: string | null; address: string }>;

/** The suggestions, and last the text itself. */
export function rowsOf(suggested: Suggested): AddressRow[] {
  return suggested ? [...suggested.found, { id: null, address: suggested.text }] : [];
}

/** What stands below the rows, and what a screen reader announces of them. */
export function announcementOf(
  suggested: Suggested,
  isPending: boolean,
): Readonly<{ note: string; spoken: string }> {
  if (isPending) return { note: 'Please wait...', spoken: 'Please wait...' };
  if (!suggested) return { note: '', spoken: '' };
  if (suggested.hasFailed) {
    const note = 'No suggestions just now: use the address as you typed it';
    return { note, spoken: note };
  }
  const { length } = suggested.found;
  const found = length === 1 ? '1 address found' : `${length || 'No'} addresses found`;
  return { note: '', spoken: `${found}. The last row uses what you typed` };
}

/** An address in two lines: up to its first comma, and the rest. */
export function linesOf(address: string): readonly [first: string, rest: string] {
  const comma = address.indexOf(',');
  return comma < 0 ? [address, ''] : [address.slice(0, comma), address.slice(comma + 1).trim()];
}

/** A text cut around the typed words: where they are in it, else as far as it begins like them. */
export function markedIn(
  text: string,
  typed: string,
): readonly [before: string, marked: string, behind: string] {
  const [inText, words] = [text.toLowerCase(), typed.trim().toLowerCase()];
  const from = Math.max(inText.indexOf(words), 0);
  const length = [...words].findIndex((letter, at) => inText[from + at] !== letter);
  const to = from + (length < 0 ? words.length : length);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
