import { badRequest, invalid } from '#api/http/http-errors.ts';
import { fieldPath } from '#api/http/validation.ts';
import { isWellFormed } from '#core/values/text.ts';

const UNSTORABLE = 'Some characters here cannot be stored';
const POISONOUS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses what the log or a read model could not hold for ever: NUL, half surrogate pairs, numbers beyond a double,
 * and keys that reach into prototypes. `path` says where the value stands, and is as it was afterwards.
 */
export function assertStorable(value: unknown, path: (string | number)[] = []): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw invalid({ [fieldPath(path)]: UNSTORABLE });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid({ [fieldPath(path)]: 'This number is too large' });
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const isIndex = Array.isArray(value);
      if (!isIndex && (POISONOUS.has(key) || !isWellFormed(key))) {
        throw invalid({ [fieldPath(path)]: 'A name in here is not allowed' });
      }
      path.push(isIndex ? Number(key) : key);
      assertStorable((value as Record<string, unknown>)[key], path);
      path.pop();
    }
  }
}

/** Refuses a path that is not UTF-8 or holds what `assertStorable` refuses: a route would get no parameter from it. */
export function assertPath({ pathname }: URL): void {
  if (!isWellFormed(decoded(pathname))) throw badRequest('The address is malformed');
}

/** Refuses a path (`assertPath`) or query that is not UTF-8, holds what `assertStorable` refuses, or names a parameter twice. */
export function assertAddress(url: URL): void {
  assertPath(url);
  decoded(url.search.replaceAll('+', ' '));
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('The address is malformed');
  }
}
