import { badRequest } from '#api/http/http-errors.ts';

/** How deep JSON may nest. */
export const DEPTH_LIMIT = 20;
/** How many keys an object may have. */
export const KEY_LIMIT = 100;
/** How many values a body may hold: texts, numbers, literals, objects and arrays, each counted once. */
export const VALUE_LIMIT = 2_000;
/** How many characters a number may have; the longest that JavaScript writes has 24. */
const NUMBER_LENGTH = 100;

const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** In place of a count of keys, for an array. */
const NO_KEYS = -1;

/**
 * The value of a text that is JSON. Throws 400 for one that is not, that nests too deep, holds too many keys, too many values
 * or an endless number, or names a key of one object twice; two spellings of a key (`"a"`, `"\u0061"`) are the same key.
 */
export function parseJson(json: string): unknown {
  const keys = scan(json);
  const value = parsed(json);
  // The parser lets the last of two values win, and drops the other with all that is in it.
  if (keysIn(value) !== keys) throw badRequest('A name in the request was sent twice');
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest('The request is not JSON');
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : items.length;
  for (const item of items) keys += keysIn(item);
  return keys;
}

/**
 * Counts the keys of all objects. Refuses what is too much before a parser recurses into it, and leaves malformed JSON to
 * the parser. Texts are skipped: a picture is one of millions of characters.
 */
function scan(json: string): number {
  /** The keys of each object that is open, until now. */
  const open: number[] = [];
  let [keys, values] = [0, 0];
  let isKey = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign <= SPACE || sign === COLON) continue;
    if (sign === COMMA) {
      isKey = (open.at(-1) ?? NO_KEYS) !== NO_KEYS;
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      open.pop();
      isKey = false;
    } else if (sign === QUOTE && isKey) {
      keys += 1;
      const ofThis = (open.pop() ?? 0) + 1;
      if (ofThis > KEY_LIMIT) throw badRequest('The request holds too many names');
      open.push(ofThis);
      isKey = false;
      at = endOfText(json, at);
    } else {
      values += 1;
      if (values > VALUE_LIMIT) throw badRequest('The request holds too many values');
      isKey = sign === OPEN_OBJECT;
      if (sign === QUOTE) at = endOfText(json, at);
      else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
        open.push(sign === OPEN_OBJECT ? 0 : NO_KEYS);
        if (open.length > DEPTH_LIMIT) throw badRequest('The request nests too deep');
      } else at = endOfBare(json, at);
    }
  }
  return keys;
}

/** Where the number or literal ends that begins at `start`. A parser takes long over one of ten thousand digits. */
function endOfBare(json: string, start: number): number {
  let end = start;
  while (isBare(json.charCodeAt(end + 1))) end += 1;
  if (end - start >= NUMBER_LENGTH) throw badRequest('A number in the request is too long');
  return end;
}

/** Whether a character may stand in a number or in `true`, `false`, `null`. False for NaN, past the end. */
function isBare(sign: number): boolean {
  if (!(sign > SPACE) || sign === COLON || sign === QUOTE || sign === COMMA) return false;
  const isBracket =
    sign === OPEN_LIST || sign === CLOSE_LIST || sign === OPEN_OBJECT || sign === CLOSE_OBJECT;
  return !isBracket;
}

/**
 * Where the quote stands that ends the text which begins at `start`; the last character when none does. A text without
 * escapes is one search, whatever its length.
 */
function endOfText(json: string, start: number): number {
  const quote = json.indexOf('"', start + 1);
  const last = json.length - 1;
  if (quote === -1) return last;
  if (json.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  for (let at = start + 1; at <= last; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at += 1;
  }
  return last;
}
