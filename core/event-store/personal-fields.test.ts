import { createHash, createHmac, hash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commitmentOf, digestOf, type Opening, textHashOf } from '#core/proof/openings.ts';
import { cause, eventId, samples } from '#tests/event-store/samples.ts';
import { encodeEvents } from './codec.ts';
import { UnreadableError } from './errors.ts';
import type { KnownEvent } from './event-types.ts';
import { openCommitment } from './personal-fields.ts';
import type { RawEvent } from './raw-log.ts';
import type { SubjectKey } from './subject-keys.ts';

const stream = 'job-j1';
const subject = 'customer-j1';
const key = Buffer.alloc(32, 7);
const keys = new Map<string, SubjectKey>([[subject, key]]);
const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

function stored(
  event: KnownEvent,
  with_: ReadonlyMap<string, SubjectKey> = keys,
  id = eventId(stream, 0),
): RawEvent {
  const [raw] = encodeEvents({ stream, revision: -1, previous: null }, [{ id, event }], cause, with_);
  if (!raw) throw new Error('nothing stored');
  return { ...raw, stream, revision: 0, position: '1' };
}

function opened(raw: RawEvent, with_: ReadonlyMap<string, SubjectKey> = keys) {
  const commitment = openCommitment(raw, with_);
  if (commitment.kind !== 'fits') throw new Error(commitment.kind);
  return commitment;
}

const blobOf = (raw: RawEvent) => Object(raw.data['personal']) as Record<string, string>;

describe('the commitment beside the ciphertext', () => {
  test('covers each personal field, and each answer and file by itself', () => {
    const { openings } = opened(stored(samples.JobRequested));
    const { answers, media } = samples.JobRequested.data;
    expect(Object.keys(openings).toSorted()).toEqual(
      [
        ...['description', 'email', 'location', 'name', 'phone', 'title', 'wishedTime'],
        ...answers.map((_, n) => `answers/${n}`),
        ...media.map((_, n) => `media/${n}`),
      ].toSorted(),
    );
    expect(openings['name']?.[1]).toBe(samples.JobRequested.data.name);
    expect(openings['answers/0']?.[1]).toEqual(answers[0]);
  });

  test('is the one ever computed: what is disclosed years later is checked by it', () => {
    const notes = 'Zoë’s “key” \\ 李 👷';
    const event = { ...samples.JobNotesChanged, data: { ...samples.JobNotesChanged.data, notes } };
    const place = `${stream}/${eventId(stream, 0)}`;
    const secret = createHmac('sha256', key).update(`ute/open/1|${place}`).digest();
    const salt = createHash('sha256').update(secret).update('notes').digest().subarray(0, 16);
    const opening = JSON.stringify([salt.toString('base64url'), 'notes', notes]);
    const digests = { notes: createHash('sha256').update(opening).digest('base64url') };
    const com = createHash('sha256').update(JSON.stringify(digests)).digest('base64url');
    expect(blobOf(stored(event))['com']).toBe(com);
  });

  test('is the same for the same event however often it is sealed, and another for another event', () => {
    const com = (id?: string) => blobOf(stored(samples.JobRequested, keys, id))['com'];
    expect(com()).toBe(com());
    expect(com()).not.toBe(com(eventId(stream, 1)));
    expect(com()).toMatch(/^[\w-]{43}$/);
  });

  test('one field is shown by its salt and value, without the others', () => {
    const { openings, digests } = opened(stored(samples.JobRequested));
    expect(digestOf(textHashOf(sha256), 'name', openings['name'] as Opening)).toBe(digests['name']);
    expect(commitmentOf(textHashOf(sha256), digests)).toBe(blobOf(stored(samples.JobRequested))['com']);
    const salts = Object.values(openings).map(([salt]) => salt);
    expect(new Set(salts).size).toBe(salts.length);
  });

  test('an event of before commitments has none, and reads as ever', () => {
    const raw = stored(samples.JobNotesChanged);
    const { com: _, ...before } = blobOf(raw);
    expect(openCommitment({ ...raw, data: { ...raw.data, personal: before } }, keys)).toEqual({
      kind: 'none',
    });
    expect(openCommitment(stored(samples.JobAccepted), keys)).toEqual({ kind: 'none' });
  });

  test('a person who was erased opens nothing', () => {
    const destroyed = new Map<string, SubjectKey>([[subject, 'destroyed']]);
    expect(openCommitment(stored(samples.JobRequested), destroyed)).toEqual({ kind: 'erased' });
  });

  test('a missing or another key is said', () => {
    const raw = stored(samples.JobRequested);
    expect(() => openCommitment(raw, new Map())).toThrow(UnreadableError);
    expect(() => openCommitment(raw, new Map([[subject, randomBytes(32)]]))).toThrow(UnreadableError);
  });
});

test('who holds the key cannot seal another text under the commitment that stands', () => {
  const raw = stored(samples.JobRequested);
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      fc.pre(name !== samples.JobRequested.data.name);
      const other = stored({ ...samples.JobRequested, data: { ...samples.JobRequested.data, name } });
      const forged = { ...blobOf(other), com: blobOf(raw)['com'] ?? '' };
      expect(openCommitment({ ...raw, data: { ...raw.data, personal: forged } }, keys)).toEqual({
        kind: 'differs',
      });
    }),
    { numRuns: 40 },
  );
});
