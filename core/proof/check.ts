import { toHex } from '#core/crypto/base64.ts';
import { leafHash, verifyInclusion } from '#core/crypto/merkle.ts';
import { openNote } from '#core/crypto/note.ts';
import { sha256 } from '#core/crypto/sha2.ts';
import type { Clock } from '#core/job/words.ts';
import type { Json } from '#core/kernel/canonical-json.ts';
import { bytesOf, type Given, nothingGiven } from './check-given.ts';
import { type CheckedLog, checkLog } from './check-log.ts';
import { clockOf, eventWords, fieldLabel, fieldWords, inUtc, photoHash } from './event-words.ts';
import { type Finding, failed, finding, notChecked, proven, unconfirmed, type Verdict } from './finding.ts';
import { commitmentOf, digestOf, textHashOf } from './openings.ts';
import {
  chainText,
  type JobRecord,
  type RecordEvent,
  type RecordFile,
  readRecord,
  readStatement,
  recordHash,
} from './record.ts';

/**
 * `does-not-fit`: at least one finding failed. Else by what the reader has: it vouches for each event and for the key of the statement
 * (`fits`), for some of it (`fits-in-part`), or for no event (`fits-itself`).
 */
export type Outcome = 'fits' | 'fits-in-part' | 'fits-itself' | 'does-not-fit';

export type CheckedRecord = Readonly<{
  outcome: Outcome;
  findings: readonly Finding[];
  /** How many of the record's events, from the first on, are vouched for by what the reader has. */
  vouched: number;
  /** Null when the text is not a record. */
  record: JobRecord | null;
}>;

const hashText = textHashOf(sha256);
const utf8 = (text: string) => new TextEncoder().encode(text);

/**
 * Checks a record against itself and against what the reader has from elsewhere. Asks no server, and never throws. Moments are those of the
 * record's zone, of `timeZone` where it names none, else of UTC.
 */
export function checkRecord(text: string, given: Given = nothingGiven, timeZone?: string): CheckedRecord {
  const record = readRecord(text);
  if (!record)
    return {
      outcome: 'does-not-fit',
      findings: [failed('This file is not a job record, or it was changed.')],
      ...{ record, vouched: 0 },
    };
  const zone = record.made.timeZone ?? timeZone;
  const clock = zone === undefined ? inUtc : clockOf(zone);
  const log = checkLog(record, given, clock);
  const statement = openStatement(record, log);
  const checking: Checking = { record, log, clock, speaker: statement.isKnown ? 'said' : 'unconfirmed' };
  const findings = [
    ...log.findings,
    ...checkEvents(checking),
    ...(statement.fits
      ? statementWords(checking)
      : [failed('The statement under this record was not signed for it.')]),
  ];
  const vouched = record.events.filter(({ index }) => index < log.below).length;
  const isWhole = vouched === record.events.length && statement.isKnown;
  const outcome = findings.some(({ verdict }) => verdict === 'failed')
    ? 'does-not-fit'
    : isWhole
      ? 'fits'
      : vouched > 0
        ? 'fits-in-part'
        : 'fits-itself';
  return { outcome, findings, vouched, record };
}

/** `speaker` is the verdict of what the statement says. */
type Checking = Readonly<{ record: JobRecord; log: CheckedLog; clock: Clock; speaker: Verdict }>;

function checkEvents(checking: Checking): Finding[] {
  const { record, log } = checking;
  const hashes = record.events.map((event) => sha256(utf8(chainText(event.prev, event))));
  const findings = record.events.flatMap((event, n) => checkEvent(event, hashes[n] as Uint8Array, checking));
  return [...findings, ...checkOrder(record, hashes, log.below)];
}

/** One event and its fields. Fields of an event that is not in the log are not looked at: they would prove nothing. */
function checkEvent(event: RecordEvent, hash: Uint8Array, checking: Checking): Finding[] {
  const { revision, index, type, stream, proof, data, at } = event;
  const { record, log, clock } = checking;
  const name = `${revision + 1}. ${eventWords(type, data, clock)}, on ${clock(at)}`;
  if (!log.checkpoint) return [notChecked(`${name}: not compared with the log.`, { revision })];
  const hashes = bytesOf(proof);
  const isIn =
    stream === `job-${record.job}` &&
    index < record.asAt.size &&
    hashes !== null &&
    verifyInclusion(sha256, leafHash(sha256, hash), { ...log.checkpoint, index }, hashes);
  if (!isIn) return [failed(`${name}: not in the log as it stands here.`, { revision })];
  const verdict = index < log.below ? 'proven' : 'unconfirmed';
  const photo = photoHash(type, data);
  const detail = `Event ${revision + 1} is number ${index + 1} of the log, written at ${at}${photo ? `; its photo has the SHA-256 ${photo}` : ''}.`;
  return [
    finding(verdict, `${name}.`, { revision, detail }),
    ...checkFields(event, verdict, checking.speaker),
  ];
}

function checkFields(
  { revision, data, digests, openings, withheld, stated }: RecordEvent,
  verdict: Verdict,
  speaker: Verdict,
): Finding[] {
  const commitment = (data['personal'] as { com?: Json } | undefined)?.com;
  const isCommitted = Object.keys(digests).length > 0;
  if (isCommitted && commitment !== commitmentOf(hashText, digests))
    return [failed(`The fields of event ${revision + 1} are not those that were sealed.`, { revision })];
  const opened = Object.entries(openings).flatMap(([field, opening]): Finding[] => {
    const fits = Object.hasOwn(digests, field) && digests[field] === digestOf(hashText, field, opening);
    if (!fits) return [failed(`${fieldLabel(field)} is not what was sealed.`, { revision, field })];
    const words = fieldWords(opening[1]);
    return words === null ? [] : [finding(verdict, `${fieldLabel(field)}: ${words}`, { revision, field })];
  });
  const closed = Object.entries(withheld).map(([field, reason]) =>
    notChecked(
      `${fieldLabel(field)} ${reason === 'erased' ? 'was removed for ever' : 'is not shown in this record'}.`,
      { revision, field },
    ),
  );
  // An event that commits to its fields shows them by openings alone.
  const loose = Object.entries(stated).flatMap(([field, value]): Finding[] => {
    if (commitment !== undefined)
      return [failed(`${fieldLabel(field)} is not what was sealed.`, { revision, field })];
    const words = fieldWords(value);
    return words === null ? [] : [finding(speaker, `${fieldLabel(field)}: ${words}`, { revision, field })];
  });
  return [...opened, ...closed, ...loose];
}

/** That none is missing is proven up to the last event that what the reader has vouches for. */
function checkOrder({ events }: JobRecord, hashes: readonly Uint8Array[], below: number): Finding[] {
  const fits = events.every((event, n) => {
    const before = events[n - 1];
    if (!before) return event.revision === 0 && event.prev === null;
    return (
      event.revision === before.revision + 1 &&
      event.index > before.index &&
      event.prev === toHex(hashes[n - 1] as Uint8Array)
    );
  });
  if (!fits) return [failed('Events are missing between these, or they are not in their order.')];
  const vouched = events.filter(({ index }) => index < below).length;
  const others = events.length - vouched;
  return [
    ...(vouched > 0 ? [proven(orderWords(vouched, others === 0 ? 'The' : 'The first'))] : []),
    ...(others > 0
      ? [
          unconfirmed(
            vouched === 0
              ? orderWords(others, 'The')
              : `The other ${others === 1 ? 'one follows' : `${others} follow`}, with none missing between them.`,
          ),
        ]
      : []),
  ];
}

function orderWords(count: number, which: 'The' | 'The first'): string {
  if (count === 1) return `${which === 'The' ? 'The one' : which} event is the first of the job.`;
  return `${which} ${count} events are in order from the job's first, and none between them is missing.`;
}

/** Whether the statement is about this record, and signed by a key that the reader knows. */
function openStatement(record: JobRecord, { verifiers, checkpoint, known }: CheckedLog) {
  const { log, job, asAt, events, statement } = record;
  const opened = openNote(statement, verifiers);
  const body = readStatement(opened?.text ?? '');
  const fits =
    checkpoint !== null &&
    body !== null &&
    body.sha256 === recordHash(sha256, record) &&
    body.origin === log.origin &&
    body.stream === `job-${job}` &&
    body.size === asAt.size &&
    body.first === events[0]?.revision &&
    body.last === events.at(-1)?.revision &&
    // Nothing but the signed text is bound: lines of other keys could be added to it.
    opened?.wrong.length === 0 &&
    opened.unknown === 0 &&
    opened.signatures.length > 0;
  return { fits, isKnown: fits && opened.signatures.some(({ vkey }) => known.has(vkey)) };
}

/** What is said under signature, and nothing proves. */
function statementWords({ record: { asAt, files, made }, clock, speaker }: Checking): Finding[] {
  return [
    finding(speaker, `No event of this job follows these in the first ${asAt.size} events of the log.`),
    finding(
      speaker,
      'Each time is the one of the clock of the server, and each name of an account that of its session.',
    ),
    finding(
      speaker,
      `This record was made on ${clock(made.at)} for the ${made.audience}, by the ${made.by}.`,
    ),
    ...files.map((file) => fileWords(file, speaker)),
  ];
}

function fileWords({ name, sha256: hash }: RecordFile, speaker: Verdict): Finding {
  if (hash === null) return finding(speaker, `${name}: its bytes are gone.`);
  return finding(speaker, `${name}: its hash is in this record.`, { detail: `${name}: SHA-256 ${hash}` });
}
