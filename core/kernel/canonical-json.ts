export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * The one text of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space, numbers as ECMAScript
 * writes them. Throws TypeError on anything that JSON cannot say (undefined, NaN, Date, bigint).
 */
export function canonicalJson(value: Json): string {
  const ordered = inOrder(value);
  return ordered === undefined ? written(value) : JSON.stringify(ordered);
}

/** The value with its keys in order, for the writer of the engine; undefined where an object would not keep the order of its keys. */
function inOrder(value: Json): Json | undefined {
  if (typeof value !== 'object' || value === null) return checked(value);
  if (isList(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const ordered = inOrder(item);
      if (ordered === undefined) return undefined;
      items.push(ordered);
    }
    return items;
  }
  if (!isPlainObject(value)) throw new TypeError('not a JSON value');
  const object: Record<string, Json> = {};
  for (const key of sortedKeys(value)) {
    const ordered = isKeptInOrder(key) ? inOrder(value[key] as Json) : undefined;
    if (ordered === undefined) return undefined;
    object[key] = ordered;
  }
  return object;
}

/** To see that they are in order already, as most are, takes less time than to sort them. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  return keys.every((key, n) => n === 0 || (keys[n - 1] as string) < key) ? keys : keys.sort();
}

/** Keys that are numbers come first in an object, and one key is no key at all. */
function isKeptInOrder(key: string): boolean {
  const first = key.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && key !== '__proto__';
}

function checked(value: string | number | boolean | null): Json {
  const isSayable =
    typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);
  if (!isSayable) throw new TypeError('not a JSON value');
  return value;
}

/** The same text, put together key by key. */
function written(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(checked(value));
  if (isList(value)) return `[${Array.from(value, written).join(',')}]`;
  if (!isPlainObject(value)) throw new TypeError('not a JSON value');
  const members = sortedKeys(value).map((key) => `${JSON.stringify(key)}:${written(value[key] as Json)}`);
  return `{${members.join(',')}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isPlainObject(value: unknown): value is Record<string, Json> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
