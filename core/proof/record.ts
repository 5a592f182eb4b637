import { fromBase64, toBase64 } from '#core/crypto/base64.ts';
import type { Sha256 } from '#core/crypto/merkle.ts';
import { canonicalJson, type Json, type JsonObject } from '#core/kernel/canonical-json.ts';
import {
  type RecordAudience,
  type RecordMaker,
  recordAudiences,
  recordMakers,
} from '#core/values/stored-details.ts';
import type { Digests, Opening } from './openings.ts';

/** What a record calls itself. FORMAT.md describes it. */
export const RECORD_FORMAT = 'ute-job-record/1';

/** A hash as metadata has it. */
const HASH = /^[0-9a-f]{64}$/;

const withheldReasons = ['not-for-you', 'erased'] as const;
export type WithheldReason = (typeof withheldReasons)[number];

/**
 * An event as the log has it, without its hash. `prev` is the hash (64 hex digits) of the event before it in its stream,
 * null for the first. `openings` show personal fields that `digests` commit to; `stated` are fields of events that
 * commit to none; the others are `withheld`. `proof` leads from its leaf to the root of the record's checkpoint.
 */
export type RecordEvent = Readonly<{
  index: number;
  stream: string;
  revision: number;
  id: string;
  type: string;
  schema: number;
  at: string;
  data: JsonObject;
  metadata: Readonly<Record<string, string>>;
  prev: string | null;
  digests: Digests;
  openings: Readonly<Record<string, Opening>>;
  withheld: Readonly<Record<string, WithheldReason>>;
  stated: JsonObject;
  proof: readonly string[];
}>;

/** Shows that the log of an older checkpoint is the beginning of the one of the record. */
export type Anchor = Readonly<{ size: number; root: string; proof: readonly string[] }>;

/**
 * A checkpoint that others attested: `note` has lines of witnesses below those of the log, `timestamps` are answers of RFC 3161 in base64
 * about the SHA-256 of its text. `proof` as of an anchor.
 */
export type Attested = Readonly<{
  note: string;
  timestamps: readonly Readonly<{ by: string; token: string }>[];
  proof: readonly string[];
}>;

/** A file of the job; `sha256` in hex is null when its bytes are gone. */
export type RecordFile = Readonly<{ id: string; name: string; sha256: string | null }>;

/** The history of one job, with what shows that it is in the log: a file that is handed over. */
export type JobRecord = Readonly<{
  format: typeof RECORD_FORMAT;
  /** `timeZone` is that of the business, an IANA name, in which its paper gives the moments. */
  made: Readonly<{ at: string; by: RecordMaker; audience: RecordAudience; timeZone?: string }>;
  log: Readonly<{ origin: string; vkeys: readonly string[] }>;
  job: string;
  /** All events of the job are here whose index is below `size`; `at` is the moment that was asked for, or null. */
  asAt: Readonly<{ size: number; at: string | null }>;
  events: readonly RecordEvent[];
  files: readonly RecordFile[];
  checkpoint: string;
  anchors: readonly Anchor[];
  /** Absent where nothing outside of the installation attests to its log. */
  attested?: readonly Attested[];
  statement: string;
}>;

/** What ties an event to the one before it in its stream: its SHA-256 is the event's hash. */
export type ChainLink = Readonly<{
  stream: string;
  revision: number;
  id: string;
  type: string;
  schema: number;
  at: string;
  data: JsonObject;
  metadata: Readonly<Record<string, string>>;
}>;

/** The text that an event's hash is of. `prev` as in `RecordEvent`. Throws TypeError for what JSON cannot say. */
export function chainText(prev: string | null, event: ChainLink): string {
  const { stream, revision, id, type, schema, at, data, metadata } = event;
  return canonicalJson({ at, data, id, metadata, prev, revision, schema, stream, type });
}

/** The bytes of a record as they are handed over. */
export function writeRecord(record: JobRecord): string {
  return canonicalJson(record as unknown as JsonObject);
}

/** A record before it is signed. */
export type UnsignedRecord = Omit<JobRecord, 'statement'>;

/** The text that a record's statement is about. */
export function writeUnsigned(record: UnsignedRecord): string {
  return canonicalJson(record as unknown as JsonObject);
}

/**
 * What stands in the text of a signed record in place of the last brace of `writeUnsigned`: `statement` is the last member in order, so
 * nothing is written twice.
 */
export function statementEnd(statement: string): string {
  return `,"statement":${canonicalJson(statement)}}`;
}

/** SHA-256 in base64 of a record without its statement: what the statement names. */
export function recordHash(sha256: Sha256, record: UnsignedRecord): string {
  const { statement: _, ...unsigned } = record as JobRecord;
  return toBase64(sha256(new TextEncoder().encode(writeUnsigned(unsigned))));
}

/** What is said under signature of a record: `sha256` is its `recordHash`, `size` that of `asAt`. */
export type RecordStatement = Readonly<{
  origin: string;
  stream: string;
  size: number;
  first: number;
  last: number;
  sha256: string;
}>;

const STATEMENT = /^(\S+)\/record\n(\S+)\n([1-9]\d{0,15})\n(\d{1,9}) (\d{1,9})\n(\S+)\n$/;

/** The text of the note. Its first line and its six parts keep it from passing as a checkpoint. */
export function writeStatement({ origin, stream, size, first, last, sha256 }: RecordStatement): string {
  return `${origin}/record\n${stream}\n${size}\n${first} ${last}\n${sha256}\n`;
}

/** What the text of a note states of a record; null when it is not such a statement. */
export function readStatement(text: string): RecordStatement | null {
  const [, origin, stream, size, first, last, sha256] = STATEMENT.exec(text) ?? [];
  if (!origin || !stream || fromBase64(sha256 ?? '')?.length !== 32) return null;
  const read = { origin, stream, size: Number(size), first: Number(first), last: Number(last) };
  return { ...read, sha256: sha256 as string };
}

/** The record of a file's text; null when it is not one, or not written in the one way in which it can be. */
export function readRecord(text: string): JobRecord | null {
  try {
    const value: Json = JSON.parse(text);
    return isRecord(value) && canonicalJson(value) === text ? (value as unknown as JobRecord) : null;
  } catch {
    return null;
  }
}

type Shape = (value: Json | undefined) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTextOrNull: Shape = (value) => value === null || isText(value);
const isListOf =
  (one: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(one);
const isMapOf =
  (one: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(one);
/** An object with these members, perhaps the optional ones, and no other: what is not described here could not be checked. */
const isOf =
  (members: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name) || Object.hasOwn(optional, name)) &&
    Object.entries(members).every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name])) &&
    Object.entries(optional).every(([name, shape]) => !Object.hasOwn(value, name) || shape(value[name]));
const isOneOf =
  (words: readonly string[]): Shape =>
  (value) =>
    words.includes(value as string);
const isOpening: Shape = (value) => Array.isArray(value) && value.length === 2 && isText(value[0]);
const isPrevious: Shape = (value) => value === null || (typeof value === 'string' && HASH.test(value));

const isAttested = isOf({
  note: isText,
  timestamps: isListOf(isOf({ by: isText, token: isText })),
  proof: isListOf(isText),
});

const isRecord = isOf(
  {
    format: isOneOf([RECORD_FORMAT]),
    made: isOf(
      { at: isText, by: isOneOf(recordMakers), audience: isOneOf(recordAudiences) },
      { timeZone: isText },
    ),
    log: isOf({ origin: isText, vkeys: isListOf(isText) }),
    job: isText,
    asAt: isOf({ size: isCount, at: isTextOrNull }),
    events: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every(
        isOf({
          index: isCount,
          stream: isText,
          revision: isCount,
          id: isText,
          type: isText,
          schema: isCount,
          at: isText,
          data: isObject,
          metadata: isMapOf(isText),
          prev: isPrevious,
          digests: isMapOf(isText),
          openings: isMapOf(isOpening),
          withheld: isMapOf(isOneOf(withheldReasons)),
          stated: isObject,
          proof: isListOf(isText),
        }),
      ),
    files: isListOf(isOf({ id: isText, name: isText, sha256: isTextOrNull })),
    checkpoint: isText,
    anchors: isListOf(isOf({ size: isCount, root: isText, proof: isListOf(isText) })),
    statement: isText,
  },
  { attested: isListOf(isAttested) },
);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
