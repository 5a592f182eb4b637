import { isWellFormed } from '#core/values/text.ts';
import { badRequest, invalid } from './http-errors.ts';
import { fieldPath } from './validation.ts';

/** How deep JSON may nest. */
export const DEPTH_LIMIT = 20;

const UNSTORABLE = 'Some characters here cannot be stored';
const POISONOUS = new Set(['__proto__', 'constructor', 'prototype']);

/** Refuses JSON that nests too deep, before a parser recurses into it. Texts are leapt over: a picture is one of millions. */
export function assertJsonDepth(json: string): void {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > DEPTH_LIMIT) throw badRequest('The request nests too deep');
    } else if (character === '}' || character === ']') depth -= 1;
  }
}

/** Where the quote stands that ends the text which begins at `start`; the end of all when none does. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Refuses what the log or a read model could not hold for ever: NUL, half surrogate pairs, numbers beyond a double,
 * and keys that reach into prototypes.
 */
export function assertStorable(value: unknown, path: readonly (string | number)[] = []): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw invalid({ [fieldPath(path)]: UNSTORABLE });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid({ [fieldPath(path)]: 'This number is too large' });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorable(item, [...path, index]);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (POISONOUS.has(key) || !isWellFormed(key)) {
        throw invalid({ [fieldPath(path)]: 'A name in here is not allowed' });
      }
      assertStorable(item, [...path, key]);
    }
  }
}

/** Refuses a path or query that is not UTF-8, holds what `assertStorable` refuses, or names a parameter twice. */
export function assertAddress(url: URL): void {
  try {
    if (!isWellFormed(decodeURIComponent(url.pathname))) throw badRequest('The address is malformed');
    decodeURIComponent(url.search.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) throw badRequest('The address is malformed');
    throw error;
  }
  const seen = new Set<string>();
  for (const [name, value] of url.searchParams) {
    if (POISONOUS.has(name) || !isWellFormed(name) || !isWellFormed(value)) {
      throw badRequest('The address is malformed');
    }
    if (seen.has(name))
      throw badRequest('A parameter was sent twice', { [fieldPath([name])]: 'Send this once' });
    seen.add(name);
  }
}
