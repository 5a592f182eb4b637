import { toBase64Url } from '#core/crypto/base64.ts';
import type { Sha256 } from '#core/crypto/merkle.ts';
import { canonicalJson, type Json, type JsonObject } from '#core/kernel/canonical-json.ts';

/** Bytes of a salt: what keeps a short value, as a phone number, from being found by trying all of them. */
export const SALT_BYTES = 16;

/** The digest of each personal field by its name, in base64url. */
export type Digests = Readonly<Record<string, string>>;

/** What shows one field: its salt in base64url, and its value. */
export type Opening = readonly [salt: string, value: Json];

/**
 * Personal data field by field, each of which can be shown without the others: the elements of a list are fields of
 * their own, `answers/0`; a list without elements is one field.
 */
export function fieldsOf(data: JsonObject): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(value) || value.length === 0) fields[name] = value;
    else for (const [n, element] of value.entries()) fields[`${name}/${n}`] = element;
  }
  return fields;
}

/** SHA-256 of a text's UTF-8, in base64url. */
export type TextHash = (text: string) => string;

/** The salted digest of one field, in base64url: the shape of a disclosure in RFC 9901, of a canonical text. */
export function digestOf(hash: TextHash, field: string, [salt, value]: Opening): string {
  return hash(canonicalJson([salt, field, value]));
}

/** The commitment to all of an event's personal fields, in base64url. It says nothing of any of them. */
export function commitmentOf(hash: TextHash, digests: Digests): string {
  return hash(canonicalJson(digests));
}

/** Where there is no faster way from a text to its hash. */
export function textHashOf(sha256: Sha256): TextHash {
  const encoder = new TextEncoder();
  return (text) => toBase64Url(sha256(encoder.encode(text)));
}
