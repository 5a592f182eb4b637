import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountDecider } from '#core/account/decider.ts';
import { isAccountEvent } from '#core/account/events.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { isJobEvent, jobDecider } from '#core/job/job.ts';
import { canonicalJson } from '#core/kernel/canonical-json.ts';
import { earlierVersion, event } from '#core/kernel/event.ts';
import { isWellFormed } from '#core/values/text.ts';
import { cause, eventId, notes, samples } from '#tests/event-store/samples.ts';
import { aJob, brunswick, record } from '#tests/support/scenarios/events.ts';
import { decodeEvent, encodeEvents, readableEvents, subjectOf, typedEvents, upcast } from './codec.ts';
import { UnreadableError, UnreadableEventError, UnstorableEventError } from './errors.ts';
import type { KnownEvent } from './event-types.ts';
import { subjectsOf } from './personal-fields.ts';
import type { RecordedEvent } from './port.ts';
import type { RawEvent } from './raw-log.ts';
import type { SubjectKey } from './subject-keys.ts';

const stream = 'job-j1';
const all = Object.values(samples);
const personal = [
  'Aroha',
  'example',
  '+6',
  'tap',
  'sink',
  'Mornings',
  'Smith',
  'Rex',
  'kitchen',
  'anode',
  'Okafor',
].concat([
  'fence',
  'Ring',
  'under the mat',
  'Sam',
  'OKAFOR',
  '51824753556',
  'Brunswick',
  'ask for',
  'since 1998',
]);

function keysFor(events: readonly KnownEvent[]): Map<string, SubjectKey> {
  return new Map(events.flatMap((event) => subjectOf(event) ?? []).map((kid) => [kid, randomBytes(32)]));
}

function stored(events: readonly KnownEvent[], keys: ReadonlyMap<string, SubjectKey>): RawEvent[] {
  const news = events.map((event, index) => ({ id: eventId(stream, index), event }));
  return encodeEvents({ stream, revision: -1, previous: null }, news, cause, keys).map((event, index) => ({
    ...(JSON.parse(JSON.stringify(event)) as typeof event),
    stream,
    revision: index,
    position: String(index + 1),
  }));
}

describe('what is stored', () => {
  test.each(all.map((event) => [event.type, event] as const))('%s reads back as it was', (_, event) => {
    const keys = keysFor([event]);
    expect(stored([event], keys).map((raw) => decodeEvent(raw, keys).event)).toEqual([event]);
  });

  test.each(all.map((event) => [event.type, event] as const))('%s shows nothing personal', (_, event) => {
    const [raw] = stored([event], keysFor([event]));
    const { personal: _sealed, ...plain } = Object(raw?.data);
    const text = JSON.stringify({ ...raw, data: plain });
    for (const word of personal) expect(text).not.toContain(word);
  });

  test('one customer has one key, whatever the event', () => {
    const events = [samples.JobRequested, samples.JobNotesChanged];
    expect(subjectsOf(stored(events, keysFor(events)))).toEqual(['customer-j1']);
  });

  test('two seals of the same text differ', () => {
    const keys = keysFor([samples.JobNotesChanged]);
    const [a, b] = [stored([samples.JobNotesChanged], keys), stored([samples.JobNotesChanged], keys)];
    expect(a[0]?.data).not.toEqual(b[0]?.data);
  });

  test('any well-formed text comes back, byte for byte', () => {
    const keys = keysFor([samples.JobNotesChanged]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }).filter(isWellFormed), (text) => {
        const { event } = notes(stream, 0, text);
        const [raw] = stored([event as KnownEvent], keys);
        expect(canonicalJson(JSON.parse(JSON.stringify(raw?.data)))).toBe(canonicalJson(raw?.data ?? {}));
        expect(raw && decodeEvent(raw, keys).event).toEqual(event);
      }),
    );
  });
});

describe('erasure', () => {
  const fold = (events: readonly RecordedEvent[]) => {
    for (const decider of [jobDecider, accountDecider, businessDecider, enquiryFormDecider]) {
      const evolve = decider.evolve as (state: unknown, event: unknown) => unknown;
      const own = events.flatMap(({ event }) => (event && decider.owns(event) ? [event] : []));
      own.reduce(evolve, decider.initialState as unknown);
    }
  };

  test('any history folds with any of its keys destroyed, and other people stay readable', () => {
    const keys = keysFor(all);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...all), { maxLength: 12 }),
        fc.subarray([...keys.keys()]),
        (history, destroyed) => {
          const after = new Map(
            [...keys].map(([kid, key]) => [kid, destroyed.includes(kid) ? 'destroyed' : key]),
          );
          const read = stored(history, keys).map((raw) => decodeEvent(raw, after as Map<string, SubjectKey>));
          fold(read);
          for (const [index, { event, unreadable }] of read.entries()) {
            expect(unreadable).toBeUndefined();
            const kid = subjectOf(history[index] as KnownEvent);
            if (kid === null || !destroyed.includes(kid)) expect(event).toEqual(history[index]);
            else expect(personal.filter((word) => JSON.stringify(event).includes(word))).toEqual([]);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('an erased job says so, and keeps what names no person', () => {
    const keys = keysFor([samples.JobRequested]);
    const [raw] = stored([samples.JobRequested], keys);
    const read = raw && decodeEvent(raw, new Map([['customer-j1', 'destroyed']]));
    expect(read?.event?.data).toEqual({
      ...samples.JobRequested.data,
      name: '[erased]',
      email: '[erased]',
      phone: '[erased]',
      title: '[erased]',
      description: '[erased]',
      wishedTime: '[erased]',
      location: { address: '[erased]', placeId: null, lat: null, lng: null },
      answers: [],
      media: [],
    });
  });

  test('nothing more can be written about a person who was erased', () => {
    const destroyed = new Map<string, SubjectKey>([['customer-j1', 'destroyed']]);
    expect(() => stored([samples.JobNotesChanged], destroyed)).toThrow(UnstorableEventError);
    expect(stored([samples.JobAccepted], destroyed)).toHaveLength(1);
  });
});

describe('what cannot be read says why and stays in its place', () => {
  const keys = keysFor([samples.JobNotesChanged]);
  const [raw] = stored([samples.JobNotesChanged], keys) as [RawEvent];
  const blob = raw.data['personal'] as { kid: string; iv: string; ct: string; tag: string };

  test.each<[string, RawEvent, ReadonlyMap<string, SubjectKey>]>([
    ['unknown type', { ...raw, type: 'JobTeleported' }, keys],
    ['unknown type', { ...raw, type: 'constructor' }, keys],
    ['unknown version of its type', { ...raw, schema: 2 }, keys],
    ['unknown version of its type', { ...raw, schema: 0 }, keys],
    ['its key is missing', raw, new Map()],
    ['its personal fields are missing', { ...raw, data: { jobId: 'j1' } }, keys],
    ['undecryptable', raw, new Map([['customer-j1', randomBytes(32)]])],
    ['undecryptable', { ...raw, stream: 'job-j2' }, keys],
    ['undecryptable', { ...raw, id: eventId(stream, 'other') }, keys],
    ['undecryptable', { ...raw, data: { ...raw.data, personal: { ...blob, tag: 'AAAA' } } }, keys],
    ['does not fit version 1 of its schema', { ...raw, data: { ...raw.data, extra: 1 } }, keys],
  ])('%s', (reason, event, known) => {
    const read = decodeEvent(event, known);
    expect(read.event).toBeUndefined();
    expect(read).toMatchObject({ position: '1', revision: 0, stream: event.stream, unreadable: reason });
  });
});

const { versions } = event(
  { first: 'string', last: 'string', title: 'string | null' },
  {
    earlier: [
      earlierVersion(
        { name: 'string' },
        { upcast: ({ name }) => ({ first: name.split(' ')[0], last: name.split(' ')[1] ?? '' }) },
      ),
      earlierVersion({ first: 'string', last: 'string' }, { upcast: (data) => ({ ...data, title: null }) }),
    ],
  },
);

test('the oldest version goes through every step', () => {
  expect(upcast(versions, 1, { name: 'Sam Okafor' })).toEqual({ first: 'Sam', last: 'Okafor', title: null });
});

test('the newest version stays as it is', () => {
  const data = { first: 'Sam', last: 'Okafor', title: 'Dr' };
  expect(upcast(versions, 3, data)).toEqual(data);
});

test.each([
  [0, {}],
  [4, {}],
  [1, { name: 7 }],
  [3, { first: 'Sam', last: 'Okafor' }],
  [3, { first: 'Sam', last: 'Okafor', title: null, extra: 1 }],
])('version %i with %j cannot be read', (number, data) => {
  expect(() => upcast(versions, number, data)).toThrow(UnreadableError);
});

test('a version without a way on cannot be read', () => {
  const stuck = versions.map(({ schema }) => ({ schema }));
  expect(() => upcast(stuck, 1, { name: 'Sam Okafor' })).toThrow(UnreadableError);
});

const job = aJob('j1', brunswick);
const recorded = record([job.requested(), job.accepted()]);
const events = recorded.map(({ event }) => event);

test('the events of an aggregate are read as its own', () => {
  expect(typedEvents(isJobEvent, recorded)).toEqual(recorded);
  expect(readableEvents(isJobEvent, recorded)).toEqual(events);
});

test('an event of another aggregate counts as unreadable, in its place', () => {
  const [first] = typedEvents(isAccountEvent, recorded);
  expect(first).toMatchObject({ revision: 0, type: 'JobRequested', unreadable: 'of another aggregate' });
  expect(first?.event).toBeUndefined();
  expect(() => readableEvents(isAccountEvent, recorded)).toThrow(UnreadableEventError);
});

test('half a history is not folded', () => {
  const [first] = recorded;
  const { event: _, ...hidden } = { ...first, unreadable: 'its key is missing' };
  expect(() => readableEvents(isJobEvent, [...recorded, hidden as (typeof recorded)[number]])).toThrow(
    UnreadableEventError,
  );
});
