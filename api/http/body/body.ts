import { badRequest, HttpError } from '#api/http/answers.ts';
import { assertStorable, type BodyRule } from './body-rules.ts';
import { bodyWasRead } from './unread-bodies.ts';
import type { Upload } from './uploads.ts';

/** How many fields a form may have: more than a public form with all its questions. */
export const FIELD_LIMIT = 100;

/**
 * The body of a request, read within the rule's limit and checked before any route sees it. `undefined` when there is none.
 * JSON or a form, as the rule says; both are refused as anything else with 415.
 */
export async function readBody(request: Request, rule: BodyRule, upload?: Upload): Promise<unknown> {
  if (rule.kind === 'unread' || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const { kind } = rule;
  const bytes = await readUpload(request, rule, upload);
  if (bytes.length === 0) return undefined;
  assertContentType(request.headers.get('content-type'), kind);
  const text = decode(bytes);
  const body = kind === 'json' ? parseJson(text) : parseForm(text);
  assertStorable(body);
  return body;
}

/**
 * The bytes of a body, read and counted by `upload` where it may be a long one. Throws 413 with `tooLarge` above `limit`, before more
 * than that is in memory, and what `upload` throws; then nothing more is read.
 */
export async function readUpload(
  request: Request,
  { limit, tooLarge }: Readonly<{ limit: number; tooLarge: string }>,
  upload?: Upload,
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array(0);
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > limit) throw new HttpError('too-long', tooLarge);
  const chunks: Uint8Array[] = [];
  const pieces = upload?.keep();
  let size = 0;
  // Leaving the loop by a throw cancels the body.
  for await (const chunk of upload?.chunks() ?? request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new HttpError('too-long', tooLarge);
    if (pieces) pieces.add(chunk);
    else chunks.push(chunk);
  }
  bodyWasRead(request);
  if (pieces) return pieces.join();
  // Most short bodies come in one piece, which needs no copy.
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

function assertContentType(header: string | null, kind: 'json' | 'form'): void {
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  const expected = kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  if (type?.trim() !== expected || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw new HttpError('wrong-content-type', `Send this as ${expected}`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The text is not UTF-8');
  }
}

/** Field → value; a field sent twice is refused, as in a query, and thousands of fields before they are taken apart. */
function parseForm(text: string): Record<string, string> {
  if (text.split('&', FIELD_LIMIT + 1).length > FIELD_LIMIT) throw badRequest('The form has too many fields');
  const entries = [...new URLSearchParams(text)].map(([name, value]) => [name, formText(value)] as const);
  const form = Object.fromEntries(entries);
  if (Object.keys(form).length !== entries.length) throw badRequest('A field was sent twice');
  return form;
}

/** The text of a form's field with its line breaks as they were typed: browsers send each as two characters. */
export function formText(sent: string): string {
  return sent.replaceAll('\r\n', '\n');
}

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
