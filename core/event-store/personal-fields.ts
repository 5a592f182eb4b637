import { canonicalJson, type JsonObject } from '#core/kernel/canonical-json.ts';
import type { EventVersion } from '#core/kernel/event.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import {
  commitmentOf,
  type Digests,
  digestOf,
  fieldsOf,
  type Opening,
  SALT_BYTES,
  type TextHash,
} from '#core/proof/openings.ts';
import { UnreadableError } from './errors.ts';
import type { RawEvent } from './raw-log.ts';
import { open, seal } from './sealed.ts';
import type { SubjectKey } from './subject-keys.ts';

/**
 * What stands in the data in place of the personal fields: their key's subject, and base64. Events of before commitments
 * have no `com`, which says in base64url what the fields were: a ciphertext alone could be opened by two keys in two ways.
 */
type PersonalBlob = Readonly<{ kid: string; iv: string; ct: string; tag: string; com?: string }>;

type PlaceOfEvent = Readonly<{ stream: StreamName; id: string }>;

export type Keys = ReadonlyMap<string, SubjectKey>;

/** The subjects of stored events, each once. */
export function subjectsOf(events: readonly RawEvent[]): string[] {
  return [...new Set(events.flatMap(({ data }) => blobOf(data)?.kid ?? []))];
}

/** Personal fields as they are stored in the event `id` of `stream`. */
export function sealFields(key: Buffer, kid: string, event: PlaceOfEvent, fields: JsonObject): PersonalBlob {
  const { iv, ct, tag } = seal(key, Buffer.from(canonicalJson(fields), 'utf8'), binding(event));
  const com = commitmentOf(hashText, commitTo(key, event, fields).digests);
  return { kid, iv: iv.toString('base64'), ct: ct.toString('base64'), tag: tag.toString('base64'), com };
}

/** In one call, without an object between: of the ways to SHA-256 the fastest for short texts. */
const hashText: TextHash = (text) => Bun.SHA256.hash(text, 'base64url');

type Commitments = Readonly<{ openings: Readonly<Record<string, Opening>>; digests: Digests }>;

/**
 * What shows each personal field of an event, and the digests of all. The salts are drawn from the subject's key: none is
 * stored, and they are gone with it. One that was shown tells nothing of the key or of another field.
 */
function commitTo(key: Buffer, event: PlaceOfEvent, fields: JsonObject): Commitments {
  const secret = new Bun.CryptoHasher('sha256', key).update(`ute/open/1|${binding(event)}`).digest();
  const bytes = Buffer.allocUnsafe(32);
  const [openings, digests]: [Record<string, Opening>, Record<string, string>] = [{}, {}];
  for (const [field, value] of Object.entries(fieldsOf(fields))) {
    // The secret's length is fixed and the hash is cut: a salt cannot be extended to that of another field.
    Bun.SHA256.hash(Buffer.concat([secret, Buffer.from(field, 'utf8')]), bytes);
    const opening: Opening = [bytes.toString('base64url', 0, SALT_BYTES), value];
    openings[field] = opening;
    digests[field] = digestOf(hashText, field, opening);
  }
  return { openings, digests };
}

/** How the personal fields of a stored event stand to its commitment. */
export type OpenedCommitment =
  | (Readonly<{ kind: 'fits' }> & Commitments)
  /** `none`: the event is of before commitments, or has no personal field. */
  | Readonly<{ kind: 'none' | 'erased' | 'differs' }>;

/** Opens a stored event and compares it with what was committed to when it was sealed. Throws `UnreadableError`. */
export function openCommitment(raw: RawEvent, keys: Keys): OpenedCommitment {
  const blob = blobOf(raw.data);
  if (blob?.com === undefined) return { kind: 'none' };
  const key = keys.get(blob.kid);
  if (key === 'destroyed') return { kind: 'erased' };
  const made = commitTo(keyOf(key), raw, openBlob(blob, keyOf(key), raw));
  return commitmentOf(hashText, made.digests) === blob.com ? { kind: 'fits', ...made } : { kind: 'differs' };
}

/** All fields of a stored event: of one whose subject is erased, what stands there instead. Throws `UnreadableError`. */
export function openPersonal({ personal }: EventVersion, raw: RawEvent, keys: Keys): object {
  const { data } = raw;
  if (!personal) return data;
  const blob = blobOf(data);
  if (!blob) throw new UnreadableError('its personal fields are missing');
  const { personal: _, ...plain } = data;
  const key = keys.get(blob.kid);
  if (key === 'destroyed') return { ...plain, ...structuredClone(personal.erased) };
  return { ...plain, ...openBlob(blob, keyOf(key), raw) };
}

function keyOf(key: SubjectKey | undefined): Buffer {
  if (!Buffer.isBuffer(key)) throw new UnreadableError('its key is missing');
  return key;
}

function openBlob(blob: PersonalBlob, key: Buffer, event: PlaceOfEvent): JsonObject {
  try {
    const [iv, ct, tag] = [blob.iv, blob.ct, blob.tag].map((part) => Buffer.from(part, 'base64'));
    const text = open(key, { iv, ct, tag } as Parameters<typeof open>[1], binding(event));
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw new UnreadableError('undecryptable');
  }
}

function binding({ stream, id }: PlaceOfEvent): string {
  return `${stream}/${id}`;
}

function blobOf(data: JsonObject): PersonalBlob | null {
  const blob = data['personal'] as Partial<PersonalBlob> | undefined;
  const texts = [blob?.kid, blob?.iv, blob?.ct, blob?.tag];
  return texts.every((part) => typeof part === 'string') ? (blob as PersonalBlob) : null;
}
