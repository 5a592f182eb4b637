import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import type { Json } from '#core/kernel/canonical-json.ts';
import {
  bytesOf,
  checkLog,
  type Finding,
  failed,
  type Given,
  notChecked,
  nothingGiven,
  proven,
  said,
} from './check-log.ts';
import { eventWords, fieldLabel, fieldWords, momentWords } from './event-words.ts';
import { leafHash, type Sha256, verifyInclusion } from './merkle.ts';
import { type CheckpointBody, type NoteVerifier, openNote } from './note.ts';
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
 * `does-not-fit`: at least one finding failed. `fits`: none did, and the log is the one of a checkpoint or key that the
 * reader had. `fits-itself`: none did, and only the record's own key says whose log it is.
 */
export type Outcome = 'fits' | 'fits-itself' | 'does-not-fit';

export type CheckedRecord = Readonly<{
  outcome: Outcome;
  findings: readonly Finding[];
  /** Null when the text is not a record. */
  record: JobRecord | null;
}>;

const sha256: Sha256 = (bytes) => nobleSha256(bytes);
const hashText = textHashOf(sha256);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Checks a record against itself and against what the reader has from elsewhere. Asks no server, and never throws. */
export function checkRecord(text: string, given: Given = nothingGiven): CheckedRecord {
  const record = readRecord(text);
  if (!record)
    return {
      outcome: 'does-not-fit',
      findings: [failed('This file is not a job record, or it was changed.')],
      record,
    };
  const log = checkLog(record, given);
  const findings = [
    ...log.findings,
    ...checkEvents(record, log.checkpoint),
    ...checkStatement(record, log.verifiers, log.checkpoint),
  ];
  const outcome = findings.some(({ verdict }) => verdict === 'failed')
    ? 'does-not-fit'
    : log.isKnown
      ? 'fits'
      : 'fits-itself';
  return { outcome, findings, record };
}

function checkEvents(record: JobRecord, checkpoint: CheckpointBody | null): Finding[] {
  const hashes = record.events.map((event) => sha256(utf8(chainText(event.prev, event))));
  const findings = record.events.flatMap((event, n) =>
    checkEvent(event, hashes[n] as Uint8Array, record, checkpoint),
  );
  return [...findings, checkOrder(record, hashes)];
}

/** One event and its fields. Fields of an event that is not proven are not looked at: they would prove nothing. */
function checkEvent(
  event: RecordEvent,
  hash: Uint8Array,
  { job, asAt }: JobRecord,
  checkpoint: CheckpointBody | null,
): Finding[] {
  const { revision, index, type, stream, proof, data, at } = event;
  const name = `${revision + 1}. ${eventWords(type, data)}, on ${momentWords(at)}`;
  if (!checkpoint) return [notChecked(`${name}: not compared with the log.`, { revision })];
  const hashes = bytesOf(proof);
  const isIn =
    stream === `job-${job}` &&
    index < asAt.size &&
    hashes !== null &&
    verifyInclusion(sha256, leafHash(sha256, hash), { ...checkpoint, index }, hashes);
  if (!isIn) return [failed(`${name}: not in the log as it stands here.`, { revision })];
  return [
    proven(`${name}: number ${index + 1} of the log, as it was written.`, { revision }),
    ...checkFields(event),
  ];
}

function checkFields({ revision, data, digests, openings, withheld, stated }: RecordEvent): Finding[] {
  const commitment = (data['personal'] as { com?: Json } | undefined)?.com;
  const isCommitted = Object.keys(digests).length > 0;
  if (isCommitted && commitment !== commitmentOf(hashText, digests))
    return [failed(`The fields of event ${revision + 1} are not those that were sealed.`, { revision })];
  const opened = Object.entries(openings).flatMap(([field, opening]): Finding[] => {
    const fits = Object.hasOwn(digests, field) && digests[field] === digestOf(hashText, field, opening);
    if (!fits) return [failed(`${fieldLabel(field)} is not what was sealed.`, { revision, field })];
    const words = fieldWords(opening[1]);
    return words === null ? [] : [proven(`${fieldLabel(field)}: ${words}`, { revision, field })];
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
    return words === null ? [] : [{ ...said(`${fieldLabel(field)}: ${words}`), revision, field }];
  });
  return [...opened, ...closed, ...loose];
}

function checkOrder({ events }: JobRecord, hashes: readonly Uint8Array[]): Finding {
  const fits = events.every((event, n) => {
    const before = events[n - 1];
    if (!before) return event.revision === 0 && event.prev === null;
    return (
      event.revision === before.revision + 1 &&
      event.index > before.index &&
      event.prev === hexOf(hashes[n - 1] as Uint8Array)
    );
  });
  return fits
    ? proven(
        events.length === 1
          ? 'The one event is the first of the job.'
          : `The ${events.length} events are in order from the job's first, and none between them is missing.`,
      )
    : failed('Events are missing between these, or they are not in their order.');
}

/** What Ute says under its signature, and nothing proves. */
function checkStatement(
  record: JobRecord,
  verifiers: readonly NoteVerifier[],
  checkpoint: CheckpointBody | null,
): Finding[] {
  const { log, job, asAt, events, files, made, statement } = record;
  const body = readStatement(openNote(statement, [])?.text ?? '');
  const fits =
    checkpoint !== null &&
    body !== null &&
    body.sha256 === recordHash(sha256, record) &&
    body.origin === log.origin &&
    body.stream === `job-${job}` &&
    body.size === asAt.size &&
    body.first === events[0]?.revision &&
    body.last === events.at(-1)?.revision &&
    isSignedByAll(statement, verifiers);
  if (!fits) return [failed('The statement under this record was not signed for it.')];
  return [
    said(`No event of this job follows these in the first ${asAt.size} events of the log.`),
    said('Each time is the one of the clock of the server, and each name of an account that of its session.'),
    said(`This record was made on ${momentWords(made.at)} for the ${made.audience}, by the ${made.by}.`),
    ...files.map(fileWords),
  ];
}

/** Nothing but the signed text is bound: lines of other keys could be added to it. */
function isSignedByAll(note: string, verifiers: readonly NoteVerifier[]): boolean {
  const opened = openNote(note, verifiers);
  return opened?.wrong.length === 0 && opened.unknown === 0 && opened.signatures.length > 0;
}

function fileWords({ name, sha256: hash }: RecordFile): Finding {
  return said(hash === null ? `${name}: its bytes are gone.` : `${name}: SHA-256 ${hash}`);
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
