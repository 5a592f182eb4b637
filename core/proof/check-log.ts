import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { fromBase64 } from './base64.ts';
import { type Sha256, verifyConsistency } from './merkle.ts';
import { type CheckpointBody, type NoteVerifier, openNote, parseVkey, readCheckpoint } from './note.ts';
import type { Attested, JobRecord } from './record.ts';

const sha256: Sha256 = (bytes) => nobleSha256(bytes);

export type CheckedLog = Readonly<{
  findings: readonly Finding[];
  /** What the events are checked against; null when there is none that can be relied on. */
  checkpoint: CheckpointBody | null;
  verifiers: readonly NoteVerifier[];
  /** Whether something that the reader has from elsewhere names this log. */
  isKnown: boolean;
}>;

/** The checkpoint of the record, its key, and how both stand to what the reader has. */
export function checkLog(
  { log, checkpoint: note, asAt, anchors, attested = [] }: JobRecord,
  given: Given,
): CheckedLog {
  const verifiers = log.vkeys.flatMap((vkey) => parseVkey(vkey) ?? []);
  const opened = openNote(note, verifiers);
  const body = opened && readCheckpoint(opened.text);
  const isSigned =
    opened?.wrong.length === 0 &&
    opened.signatures.some(({ at, name }) => at === null && name === log.origin);
  if (!body || !isSigned || body.origin !== log.origin || asAt.size > body.size) {
    return {
      findings: [failed('The checkpoint of this record does not fit its key.')],
      checkpoint: null,
      verifiers,
      isKnown: false,
    };
  }
  const ofAnchors = anchors.map((anchor): Finding => {
    const root = fromBase64(anchor.root);
    return root && isBeginning({ size: anchor.size, root }, body, anchor.proof)
      ? proven(`The log had the root ${anchor.root} at ${anchor.size} events, and is the same log still.`)
      : failed(`The log at ${anchor.size} events is not the beginning of this one.`);
  });
  const ofGiven = given.checkpoints.map((one) => compare(one, body, anchors));
  const signedBy = new Set(opened.signatures.map(({ vkey }) => vkey));
  const keys = given.vkeys.flatMap((vkey) => parseVkey(vkey) ?? []);
  const isWitness = ({ kind, name }: NoteVerifier) => kind === 'cosignature' && name !== log.origin;
  const ofWitnesses = keys.filter(isWitness).map((witness) => checkWitness(witness, attested));
  const ownKeys = keys.filter((key) => !isWitness(key));
  const ofKeys = ownKeys.map(({ vkey, name }): Finding => {
    if (signedBy.has(vkey)) return proven(`The log was signed by the key that you have: ${vkey}`);
    return name === log.origin
      ? failed(`The log was not signed by the key that you have: ${vkey}`)
      : notChecked(`This key is of another log: ${vkey}`);
  });
  const ofAttested = attested.flatMap((one) => checkAttested(one, body, verifiers));
  const isKnown = [...ofGiven, ...ofKeys, ...ofWitnesses].some(({ verdict }) => verdict === 'proven');
  const signed = `The log ${log.origin} had ${body.size} events when it was signed`;
  const own = isKnown
    ? proven(`${signed}, and it is the log that you know.`)
    : said(
        `${signed}, by the key that this record names. Compare it with a checkpoint or a key that you have.`,
      );
  return {
    findings: [own, ...ofGiven, ...ofKeys, ...ofWitnesses, ...ofAnchors, ...ofAttested],
    ...{ checkpoint: body, verifiers, isKnown },
  };
}

/** What the reader was handed, beside the record's own checkpoint. What binds is the root that the reader holds. */
function compare(one: GivenCheckpoint, own: CheckpointBody, anchors: JobRecord['anchors']): Finding {
  if (one.origin !== null && one.origin !== own.origin)
    return notChecked(`Your checkpoint is of another log: ${one.origin}.`);
  const proof = one.size === own.size ? [] : anchors.find(({ size }) => size === one.size)?.proof;
  if (!proof)
    return notChecked(
      `Your checkpoint is of ${one.size} events, and this record has no proof to it. Ask for a record with that anchor.`,
    );
  return isBeginning(one, own, proof)
    ? proven(
        `It is the log of your checkpoint of ${one.size} events: nothing in it before was changed since.`,
      )
    : failed(`It is not the log of your checkpoint of ${one.size} events.`);
}

/** What a witness whose key the reader has says of the log: it would sign no other one of this name beside. */
function checkWitness(witness: NoteVerifier, attested: readonly Attested[]): Finding {
  const opened = attested.flatMap(({ note }) => openNote(note, [witness]) ?? []);
  if (opened.some(({ wrong }) => wrong.length > 0))
    return failed(`The signature of the witness ${witness.name} is wrong.`);
  const seen = opened.find(({ signatures }) => signatures.length > 0);
  const body = seen && readCheckpoint(seen.text);
  return body
    ? proven(
        `The witness ${witness.name} signed this log at ${body.size} events, on ${seen.signatures[0]?.at?.toISOString()}.`,
      )
    : notChecked(`The witness ${witness.name} signed no checkpoint of this record.`);
}

function checkAttested(
  { note, timestamps, proof }: Attested,
  own: CheckpointBody,
  verifiers: readonly NoteVerifier[],
): Finding[] {
  const opened = openNote(note, verifiers);
  const body = opened && readCheckpoint(opened.text);
  const fits = body?.origin === own.origin && opened?.wrong.length === 0 && isBeginning(body, own, proof);
  if (!fits) return [failed('A checkpoint that others attested is not the beginning of this log.')];
  return timestamps.map(({ by }) =>
    notChecked(
      `A time stamp by ${by} of this log at ${body.size} events is in this record. Check it with "openssl ts -verify", against the three lines of that checkpoint.`,
    ),
  );
}

function isBeginning(
  older: Readonly<{ size: number; root: Uint8Array }>,
  newer: CheckpointBody,
  proof: readonly string[],
): boolean {
  const hashes = bytesOf(proof);
  return hashes !== null && verifyConsistency(sha256, older, newer, hashes);
}

/** Null unless each is a hash in base64. */
export function bytesOf(proof: readonly string[]): Uint8Array[] | null {
  const hashes = proof.flatMap((one) => fromBase64(one) ?? []);
  return hashes.length === proof.length && hashes.every(({ length }) => length === 32) ? hashes : null;
}

export type Verdict = 'proven' | 'said' | 'failed' | 'not-checked';

/** One line of the answer. `revision` and `field` say of which event and which of its fields it speaks. */
export type Finding = Readonly<{ verdict: Verdict; text: string; revision?: number; field?: string }>;

export const proven = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'proven',
  text,
  ...about,
});
export const said = (text: string): Finding => ({ verdict: 'said', text });
export const failed = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'failed',
  text,
  ...about,
});
export const notChecked = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'not-checked',
  text,
  ...about,
});

/** A checkpoint that the reader was handed; `origin` is null in a receipt, which names none. */
type GivenCheckpoint = Readonly<{ origin: string | null; size: number; root: Uint8Array }>;

/** What the reader of a record has of the log from elsewhere. */
export type Given = Readonly<{ checkpoints: readonly GivenCheckpoint[]; vkeys: readonly string[] }>;

export const nothingGiven: Given = { checkpoints: [], vkeys: [] };

const NOTE = /^[^\n]+\n(?:0|[1-9]\d{0,15})\n[A-Za-z0-9+/]{43}=\n/gm;
const RECEIPT = /\bLog\s+([1-9]\d{0,15})\s+\S\s+([A-Za-z0-9+/]{43}=)/g;
const VKEY = /[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*/g;

/** The checkpoints, lines of receipts and keys in a text: an attachment, a saved mail, or what was pasted. */
export function readGiven(text: string): Given {
  const lines = text.replaceAll('\r\n', '\n');
  const notes =
    lines
      .match(NOTE)
      ?.flatMap((note): CheckpointBody[] => [readCheckpoint(note)].filter((body) => body !== null)) ?? [];
  const receipts = [...lines.matchAll(RECEIPT)].flatMap(([, size, encoded]): GivenCheckpoint[] => {
    const root = fromBase64(encoded ?? '');
    return root ? [{ origin: null, size: Number(size), root }] : [];
  });
  const vkeys = (lines.match(VKEY) ?? []).filter((vkey) => parseVkey(vkey) !== null);
  return { checkpoints: [...notes, ...receipts], vkeys: [...new Set(vkeys)] };
}
