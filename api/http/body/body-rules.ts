import { badRequest, invalid } from '#api/http/answers.ts';
import { fieldPath } from '#api/http/validation.ts';
import { isWellFormed } from '#core/values/text.ts';
import { logoUpload } from '#core/values/uploads.ts';

/** What a route takes: `unread` leaves the bytes to it, to be read (`readUpload`) once it knows that they are wanted. */
export type BodyRule = Readonly<
  { kind: 'json' | 'form'; limit: number; tooLarge: string } | { kind: 'unread' }
>;

/** Bytes of a body, for every route that does not say otherwise. */
export const BODY_LIMIT = 64 * 1024;
/** A logo as text, with what stands around it. */
const BRANDING_LIMIT = Math.ceil((logoUpload.bytes * 4) / 3) + BODY_LIMIT;

export const bodyTooLarge = 'That is more than we can take at once';

const own: readonly (readonly [method: string, path: RegExp, rule: BodyRule])[] = [
  [
    'PUT',
    /^\/api\/settings\/branding\/?$/,
    { kind: 'json', limit: BRANDING_LIMIT, tooLarge: logoUpload.tooLarge },
  ],
  ['POST', /^\/api\/public-forms\/[^/]+\/media\/?$/, { kind: 'unread' }],
  ['PUT', /^\/api\/jobs\/[^/]+\/photos\/[^/]+\/?$/, { kind: 'unread' }],
  ['POST', /^\/t\/[^/]+\/?$/, { kind: 'unread' }],
  // Mail programs send either kind of form.
  ['POST', /^\/unsubscribe\/[^/]+\/?$/, { kind: 'unread' }],
];

/** What a route takes: JSON below `/api`, forms elsewhere. */
export function bodyRule(method: string, pathname: string, api: boolean): BodyRule {
  const rule = own.find((one) => one[0] === method && one[1].test(pathname))?.[2];
  return rule ?? { kind: api ? 'json' : 'form', limit: BODY_LIMIT, tooLarge: bodyTooLarge };
}

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
