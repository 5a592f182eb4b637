export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * The one text of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space, numbers as ECMAScript
 * writes them. Throws TypeError on anything that JSON cannot say (undefined, NaN, Date, bigint).
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`).join(',')}}`;
  }
  throw new TypeError('not a JSON value');
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isPlainObject(value: unknown): value is Record<string, Json> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
