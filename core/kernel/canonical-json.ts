export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * The one text of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space, numbers as ECMAScript
 * writes them. Throws TypeError on anything that JSON cannot say (undefined, NaN, Date, bigint).
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  let text = '';
  if (isList(value)) {
    for (const item of value) text += text === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${text}]`;
  }
  if (isPlainObject(value)) {
    for (const key of Object.keys(value).sort())
      text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(value[key] as Json)}`;
    return `{${text}}`;
  }
  throw new TypeError('not a JSON value');
}

/** What stands otherwise in JSON than in the text: quotes, backslashes, controls, and surrogates, which may lack their half. */
const OTHERWISE = /["\\\p{Cc}\ud800-\udfff]/u;

/** Each append writes tens of texts, few of which have anything to escape. */
function quoted(text: string): string {
  return OTHERWISE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isPlainObject(value: unknown): value is Record<string, Json> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
