import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { toBase64 } from '#core/crypto/base64.ts';
import { noteSigner, signNote } from '#core/crypto/note.ts';
import { canonicalJson, type JsonObject } from '#core/kernel/canonical-json.ts';
import { clock, origin, sampleRecord, signedRecord, signer } from '#tests/support/log/sample-record.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { type CheckedRecord, checkRecord } from './check.ts';
import { readGiven } from './check-log.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { Finding } from './finding.ts';
import { type JobRecord, type RecordEvent, readRecord, readStatement, writeRecord } from './record.ts';

let sample: Awaited<ReturnType<typeof sampleRecord>>;
let given: string;

beforeAll(async () => {
  sample = await sampleRecord();
  const root = sample.roots.get(7) as Uint8Array;
  given = signNote(writeCheckpoint({ origin, size: 7, root }), [signer], new Date(0));
});

const check = (record: JobRecord, from = given) => checkRecord(writeRecord(record), readGiven(from));
const texts = ({ findings }: CheckedRecord, verdict: Finding['verdict']) =>
  findings.filter((one) => one.verdict === verdict).map(({ text }) => text);
/** The sample with another member, signed again: by an issuer who lies. */
const forged = (change: Partial<JobRecord>) => signedRecord({ ...sample.record, ...change });
const withEvent = (n: number, change: Partial<RecordEvent>) =>
  forged({ events: sample.record.events.map((event, m) => (m === n ? { ...event, ...change } : event)) });

describe('a record that fits', () => {
  test('says what is proven and what is only said', () => {
    const checked = check(sample.record);
    expect(checked.outcome).toBe('fits');
    expect(texts(checked, 'proven')).toEqual([
      'It is the log that you know.',
      'It is the log of your checkpoint of 7 events: nothing in it before was changed since.',
      'The key that signed your checkpoint signed this log too.',
      'The log is the one that it was at earlier checkpoints.',
      '1. The customer sent the request, on 2026-11-23 05:00:00 UTC.',
      'Answer 1: How many? Two',
      'Name: Zoë Smith',
      '2. The tradie accepted the job, on 2026-11-23 05:00:00 UTC.',
      '3. The notes were changed, on 2026-11-23 05:00:00 UTC.',
      "The 3 events are in order from the job's first, and none between them is missing.",
    ]);
    expect(texts(checked, 'said')).toEqual([
      'No event of this job follows these in the first 11 events of the log.',
      'Each time is the one of the clock of the server, and each name of an account that of its session.',
      'This record was made on 2026-11-23 05:00:00 UTC for the customer, by the tradie.',
      'leak.jpg: its hash is in this record.',
    ]);
    const details = checked.findings.flatMap(({ detail }) => detail ?? []);
    expect(details).toContain(`The log ${origin} had 11 events when it was signed.`);
    expect(details).toContain('Event 1 is number 4 of the log, written at 2026-11-23T05:00:00.000Z.');
    expect(details).toContain(`leak.jpg: SHA-256 ${'ab'.repeat(32)}`);
    expect(texts(checked, 'not-checked')).toEqual([
      'Phone is not shown in this record.',
      'Notes is not shown in this record.',
    ]);
  });

  test('of one event counts no more of them', () => {
    const { events } = sample.record;
    expect(texts(check(forged({ events: events.slice(0, 1) })), 'proven')).toContain(
      'The one event is the first of the job.',
    );
  });

  test('gives its moments in the zone of the business, as its paper does, else in that of the reader', () => {
    const made = { ...sample.record.made, timeZone: 'Pacific/Auckland' };
    const [first] = texts(check(forged({ made })), 'proven').filter((text) => text.startsWith('1. '));
    expect(first).toBe('1. The customer sent the request, on Mon 23 Nov 2026, 6:00:00PM (UTC+13).');
    const asRead = checkRecord(sample.text, readGiven(given), 'Australia/Darwin');
    expect(texts(asRead, 'said')[2]).toContain('made on Mon 23 Nov 2026, 2:30:00PM (UTC+9:30) for');
    const unknown = forged({ made: { ...made, timeZone: 'Nowhere/At_all' } });
    expect(texts(check(unknown), 'said')[2]).toContain('made on 2026-11-23 05:00:00 UTC for');
  });

  test('is known by a checkpoint or a key, up to its size by the line of a receipt, and by its own key not at all', () => {
    const line = `Thanks!\r\nLog 7 · ${toBase64(sample.roots.get(7) as Uint8Array)}\r\n`;
    expect(check(sample.record, line).outcome).toBe('fits-in-part');
    expect(check(sample.record, `key ${signer.verifier.vkey}`).outcome).toBe('fits');
    expect(check(sample.record, '').outcome).toBe('fits-itself');
    expect(texts(check(sample.record, ''), 'proven')).toEqual([]);
    expect(texts(check(sample.record, ''), 'unconfirmed')[0]).toMatch(/only the key in this record says/);
  });

  test('is the same to a second check, that of the test file too', () => {
    const file = readFileSync('tests/support/log/sample.ute-record');
    expect(checkRecord(file.toString(), readGiven(signer.verifier.vkey)).outcome).toBe('fits');
    const parts = ['0', '0/answers/0', '0/name', '1', '2'];
    for (const bytes of [file, Buffer.from(sample.text)]) {
      expect(secondCheck(bytes)).toMatchObject({ proven: [], unconfirmed: parts });
      expect(secondCheck(bytes, { keys: [signer.verifier.vkey] })).toMatchObject({ proven: parts });
    }
  });
});

describe('a record with a checkpoint that others attested', () => {
  const witness = noteSigner('witness.example/w1', new Uint8Array(32).fill(5), 'cosignature');
  const stranger = noteSigner('witness.example/w2', new Uint8Array(32).fill(6), 'cosignature');
  const attested = () => sampleRecord(undefined, [witness]);

  test('is known by the key of the witness up to the size that it signed, and names the time stamp that it did not check', async () => {
    const { text } = await attested();
    const checked = checkRecord(text, readGiven(witness.verifier.vkey));
    expect(checked.outcome).toBe('fits-in-part');
    expect(texts(checked, 'proven')).toContain(
      'The witness witness.example/w1 signed this log at 7 events, on 2026-11-23 05:00:00 UTC.',
    );
    expect(texts(checked, 'not-checked')[0]).toMatch(
      /^A time stamp by https:\/\/tsa\.example\/ of this log at 7/,
    );
    const second = secondCheck(Buffer.from(text), { keys: [witness.verifier.vkey] });
    expect(second).toMatchObject({ proven: ['0', '0/answers/0', '0/name', '1'], unconfirmed: ['2'] });
  });

  test('is not known by a witness that did not sign it', async () => {
    const { text } = await attested();
    const checked = checkRecord(text, readGiven(stranger.verifier.vkey));
    expect(checked.outcome).toBe('fits-itself');
    expect(texts(checked, 'not-checked')).toContain(
      'The witness witness.example/w2 signed no checkpoint of this record.',
    );
  });

  test.each<[string, { size: number; root?: Uint8Array; name?: string }]>([
    ['another root', { size: 7, root: new Uint8Array(32) }],
    ['another size', { size: 6 }],
    ['another log', { size: 7, name: 'other.example/log/1' }],
  ])('does not fit when the issuer signs again with %s', async (_, { size, root, name = origin }) => {
    const { record, roots } = await attested();
    const own = record.attested?.[0];
    if (!own) throw new Error('the sample has an attested checkpoint');
    const body = { origin: name, size, root: root ?? (roots.get(7) as Uint8Array) };
    const note = signNote(writeCheckpoint(body), [signer, witness], new Date(0));
    const lie = signedRecord({ ...record, attested: [{ ...own, note }] });
    expect(check(lie, witness.verifier.vkey).outcome).toBe('does-not-fit');
    expect(secondCheck(Buffer.from(writeRecord(lie)))).toBeNull();
  });

  test('does not fit when the line of the witness was changed', async () => {
    const { record } = await attested();
    const own = record.attested?.[0];
    if (!own) throw new Error('the sample has an attested checkpoint');
    const other = noteSigner('witness.example/w1', new Uint8Array(32).fill(5), 'cosignature');
    const wrong = signNote('another text\n', [other], new Date(0)).split('\n').at(-2);
    const note = `${own.note.split('\n').slice(0, -2).join('\n')}\n${wrong}\n`;
    expect(
      check(signedRecord({ ...record, attested: [{ ...own, note }] }), witness.verifier.vkey).outcome,
    ).toBe('does-not-fit');
  });
});

/** What a check finds proven, in the words of the second one. */
const provenParts = ({ findings }: CheckedRecord) =>
  findings.flatMap(({ verdict, revision, field }) =>
    verdict === 'proven' && revision !== undefined ? [field ? `${revision}/${field}` : `${revision}`] : [],
  );

/** One byte in five is flipped in a run, in each from another one on: a byte takes two milliseconds, all of them half a minute. */
const STRIDE = 5;

test('whichever byte is flipped, the record does not fit, and what was touched is not proven', {
  timeout: 120_000,
}, async () => {
  const { record, text } = await sampleRecord([signer]);
  const bytes = Buffer.from(text);
  const of = ({ findings }: CheckedRecord, wanted: number) =>
    JSON.stringify(findings.filter(({ revision }) => revision === wanted));
  const whole = checkRecord(text, readGiven(given));
  const places = record.events.map((event) => {
    const start = bytes.indexOf(canonicalJson(event as unknown as JsonObject));
    return {
      revision: event.revision,
      start,
      end: start + Buffer.from(canonicalJson(event as unknown as JsonObject)).length,
    };
  });
  for (let n = randomInt(STRIDE); n < bytes.length; n += STRIDE) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(bytes.readUInt8(n) ^ (1 << (n % 7)), n);
    const checked = checkRecord(flipped.toString(), readGiven(given));
    const touched = places.find(({ start, end }) => n >= start && n < end)?.revision;
    const isNoticed =
      checked.outcome === 'does-not-fit' &&
      secondCheck(flipped) === null &&
      (touched === undefined || of(checked, touched) !== of(whole, touched));
    if (!isNoticed) expect.fail(`byte ${n}: ${flipped.subarray(n - 20, n + 20)}`);
  }
});

describe('an issuer who signs again what is not so is found out', () => {
  const parts = ['0', '0/answers/0', '0/name', '1', '2'];
  const lost = (record: JobRecord) => {
    const checked = check(record);
    expect(checked.outcome).toBe('does-not-fit');
    expect(secondCheck(Buffer.from(writeRecord(record)))).toBeNull();
    const found = provenParts(checked);
    return parts.filter((part) => !found.includes(part));
  };
  const event = (n: number) => sample.record.events[n] as RecordEvent;

  test('another value in an opening', () => {
    const [salt] = event(0).openings['name'] as [string, string];
    const openings = { ...event(0).openings, name: [salt, 'Zoe Smith'] as const };
    expect(lost(withEvent(0, { openings }))).toEqual(['0/name']);
  });

  test('two openings changed for each other', () => {
    const { name, 'answers/0': answer } = event(0).openings;
    const openings = { name: answer, 'answers/0': name } as RecordEvent['openings'];
    expect(lost(withEvent(0, { openings }))).toEqual(['0/answers/0', '0/name']);
  });

  test('a field that was never sealed, with a digest of its own', () => {
    const digests = { ...event(0).digests, budget: event(0).digests['name'] as string };
    expect(lost(withEvent(0, { digests }))).toEqual(['0/answers/0', '0/name']);
    expect(lost(withEvent(0, { digests: {} }))).toEqual(['0/answers/0', '0/name']);
    expect(lost(withEvent(0, { stated: { budget: '900' } }))).toEqual([]);
  });

  test('another time, another place, another hash before it', () => {
    expect(lost(withEvent(1, { at: '2026-11-22T05:00:00.000Z' }))).toEqual(['1']);
    expect(lost(withEvent(1, { index: 6 }))).toEqual(['1']);
    expect(lost(withEvent(1, { prev: 'ab'.repeat(32) }))).toEqual(['1']);
  });

  test('an event left out, at the beginning or in the middle; events in another order', () => {
    const [first, second, third] = sample.record.events as [RecordEvent, RecordEvent, RecordEvent];
    expect(lost(forged({ events: [first, third] }))).toEqual(['1']);
    expect(lost(forged({ events: [second, third] }))).toEqual(['0', '0/answers/0', '0/name']);
    expect(lost(forged({ events: [second, first, third] }))).toEqual([]);
  });

  test('the last event left out is a lie that the signature binds, and no more', () => {
    const [first, second] = sample.record.events as [RecordEvent, RecordEvent];
    const shorter = check(forged({ events: [first, second] }));
    expect(shorter.outcome).toBe('fits');
    expect(texts(shorter, 'said')[0]).toBe(
      'No event of this job follows these in the first 11 events of the log.',
    );
  });

  test('an anchor of another log, and a checkpoint signed by another key', () => {
    const [anchor] = sample.record.anchors;
    if (!anchor) throw new Error('the sample has an anchor');
    expect(lost(forged({ anchors: [{ ...anchor, size: 6 }] }))).toEqual([]);
    const stranger = noteSigner(origin, new Uint8Array(32).fill(9));
    const root = sample.roots.get(11) as Uint8Array;
    const checkpoint = signNote(writeCheckpoint({ origin, size: 11, root }), [stranger], new Date(0));
    expect(lost(forged({ checkpoint }))).toEqual(parts);
    const timed = signNote(writeCheckpoint({ origin, size: 11, root }), [clock], new Date(0));
    expect(lost(forged({ checkpoint: timed }))).toEqual(parts);
  });
});

test('a statement is no checkpoint, and a checkpoint no statement', () => {
  const { statement, checkpoint } = sample.record;
  expect(readCheckpoint(statement.slice(0, statement.indexOf('\n\n') + 1))).toBeNull();
  expect(readStatement(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1))).toBeNull();
  expect(check(forged({ checkpoint: statement })).outcome).toBe('does-not-fit');
  expect(check({ ...sample.record, statement: checkpoint }).outcome).toBe('does-not-fit');
  expect(readGiven(statement).checkpoints).toEqual([]);
});

test('what the reader has elsewhere is compared, and says when it cannot be', () => {
  const other = writeCheckpoint({ origin, size: 7, root: new Uint8Array(32) });
  expect(check(sample.record, other).outcome).toBe('does-not-fit');
  const between = writeCheckpoint({ origin, size: 9, root: sample.roots.get(9) as Uint8Array });
  expect(check(sample.record, between).outcome).toBe('fits-itself');
  expect(texts(check(sample.record, between), 'not-checked')[0]).toMatch(/no proof to it/);
  const elsewhere = writeCheckpoint({ origin: 'other.example/log/1', size: 7, root: new Uint8Array(32) });
  expect(check(sample.record, elsewhere).outcome).toBe('fits-itself');
  const stolen = noteSigner(origin, new Uint8Array(32).fill(1)).verifier.vkey;
  expect(check(sample.record, stolen).outcome).toBe('does-not-fit');
});

test.each(['', '{}', 'null', '[]', '{"format":"ute-job-record/1"}'])('%j is no record', (text) => {
  expect(readRecord(text)).toBeNull();
  expect(checkRecord(text).outcome).toBe('does-not-fit');
});

test('a record is read in its one spelling alone', () => {
  expect(readRecord(sample.text)).toEqual(sample.record);
  expect(readRecord(`${sample.text}\n`)).toBeNull();
  expect(readRecord(sample.text.replace('{', '{"extra":1,'))).toBeNull();
});
