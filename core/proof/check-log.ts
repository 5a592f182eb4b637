import { fromBase64, toHex } from '#core/crypto/base64.ts';
import { keyIdOf, type NoteVerifier, openNote, parseVkey } from '#core/crypto/note.ts';
import type { Clock } from '#core/job/words.ts';
import {
  checkGiven,
  checkKey,
  checkWitness,
  type Given,
  type GivenCheckpoint,
  isBeginning,
  type Own,
  type Shown,
} from './check-given.ts';
import { type CheckpointBody, readCheckpoint } from './checkpoint.ts';
import { type Finding, failed, finding, notChecked, proven, unconfirmed } from './finding.ts';
import type { Attested, JobRecord } from './record.ts';

export type CheckedLog = Readonly<{
  findings: readonly Finding[];
  /** What the events are checked against; null when there is none that can be relied on. */
  checkpoint: CheckpointBody | null;
  verifiers: readonly NoteVerifier[];
  /** What the reader has vouches for events of a lower index, and for no other. */
  below: number;
  /** Keys of the record that the reader has from elsewhere. */
  known: ReadonlySet<string>;
}>;

/** The checkpoint of the record, its keys, and how both stand to what the reader has. */
export function checkLog(
  { log, checkpoint: note, asAt, anchors, attested = [] }: JobRecord,
  given: Given,
  clock: Clock,
): CheckedLog {
  const verifiers = log.vkeys.flatMap((vkey) => parseVkey(vkey) ?? []);
  const opened = openNote(note, verifiers);
  const body = opened && readCheckpoint(opened.text);
  const isSigned =
    isUnambiguous(log.vkeys, verifiers) &&
    opened?.wrong.length === 0 &&
    opened.signatures.some(({ at, name }) => at === null && name === log.origin);
  if (!body || !isSigned || body.origin !== log.origin || asAt.size > body.size) {
    return {
      findings: [failed('The checkpoint of this record does not fit its key.')],
      ...{ checkpoint: null, verifiers, below: 0, known: new Set() },
    };
  }
  const signedBy = verifiers.filter(({ vkey }) => opened.signatures.some((one) => one.vkey === vkey));
  const own = { body, signedBy, verifiers, anchors };
  const keys = given.vkeys.flatMap((vkey) => parseVkey(vkey) ?? []);
  const isWitness = ({ kind, name }: NoteVerifier) => kind === 'cosignature' && name !== log.origin;
  const fitting = attested.filter((one) => isBeginning(bodyOf(one, own), body, one.proof));
  const shown: readonly Shown[] = [
    ...given.checkpoints.map((one) => checkGiven(one, keys, own)),
    ...keys.map((key) => (isWitness(key) ? checkWitness(key, fitting, clock) : checkKey(key, own))),
  ];
  const known = new Set(shown.flatMap((one) => one.keys ?? []));
  const below = signedBy.some(({ vkey }) => known.has(vkey))
    ? body.size
    : Math.max(0, ...shown.map((one) => one.below ?? 0));
  return {
    findings: [
      logWords(body, below),
      ...shown.flatMap(({ findings }) => findings),
      ...checkAnchors(own, below),
      ...attested.flatMap((one) => checkAttested(one, own)),
    ],
    ...{ checkpoint: body, verifiers, below, known },
  };
}

/** Whether all are keys, and each line of a note is of one of them at most. */
function isUnambiguous(vkeys: readonly string[], verifiers: readonly NoteVerifier[]): boolean {
  const names = new Set(verifiers.map((one) => `${one.name}+${keyIdOf(one)}`));
  return names.size === vkeys.length;
}

function logWords({ origin, size }: CheckpointBody, below: number): Finding {
  const detail = `The log ${origin} had ${size} events when it was signed.`;
  if (below === size) return proven('It is the log that you know.', { detail });
  return unconfirmed(
    below === 0
      ? 'Whose log it is, only the key in this record says.'
      : `What you have vouches for the first ${below} of the log's ${size} events. Of those after them, only the key in this record speaks.`,
    { detail },
  );
}

/** One line for all: there may be twenty. */
function checkAnchors({ anchors, body }: Own, below: number): Finding[] {
  const wrong = anchors.filter((one) => {
    const root = fromBase64(one.root);
    return !root || !isBeginning({ size: one.size, root }, body, one.proof);
  });
  if (wrong.length > 0)
    return wrong.map(({ size }) => failed(`The log at ${size} events is not the beginning of this one.`));
  if (anchors.length === 0) return [];
  const roots = anchors.map(({ size, root }) => `${size} · ${root}`).join(', ');
  const isVouchedFor = anchors.every(({ size }) => size <= below);
  return [
    finding(
      isVouchedFor ? 'proven' : 'unconfirmed',
      'The log is the one that it was at earlier checkpoints.',
      {
        detail: `The log had these roots at these sizes: ${roots}.`,
      },
    ),
  ];
}

function bodyOf({ note }: Attested, { body: { origin }, verifiers }: Own): CheckpointBody | null {
  const opened = openNote(note, verifiers);
  const body = opened && readCheckpoint(opened.text);
  return body?.origin === origin && opened?.wrong.length === 0 ? body : null;
}

function checkAttested(one: Attested, own: Own): Finding[] {
  const body = bodyOf(one, own);
  if (!body || !isBeginning(body, own.body, one.proof))
    return [failed('A checkpoint that others attested is not the beginning of this log.')];
  return one.timestamps.map(({ by }) =>
    notChecked(`A time stamp by ${by} of this log at ${body.size} events is in this record.`, {
      detail: `Check the time stamp by ${by} with "openssl ts -verify", against the three lines of the checkpoint of ${body.size} events.`,
    }),
  );
}

const NOTE = /^[^\n]+\n\d{1,16}\n[A-Za-z0-9+/]{43}=\n(?:\n(?:— [^\n]+\n)+)?/gm;
const RECEIPT =
  /(?:^[> \t]*|>)Log\s+(\d{1,16})\s+\S\s+([A-Za-z0-9+/]{43}=)(?:\s+\S\s+key\s+([0-9a-f]{8}))?[ \t]*(?=<|$)/gm;
const VKEY = /^[ \t]*(?:key )?([^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*)[ \t]*$/gm;

/**
 * What the reader has of the log, in one file or in what was pasted: checkpoints, lines of receipts and keys, each on lines of its own. Of a
 * text with anything else in it, a mail, only the last line of a receipt counts: what strangers typed stands above it.
 */
export function readGiven(text: string): Given {
  const lines = `${text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`;
  const receipts = [...lines.matchAll(RECEIPT)].flatMap(receiptOf);
  const checkpoints: GivenCheckpoint[] = [];
  const vkeys: string[] = [];
  const rest = lines
    .replace(NOTE, (note) => {
      const one = noteOf(note);
      if (one) checkpoints.push(one);
      return one ? '\n' : note;
    })
    .replace(RECEIPT, '')
    .replace(VKEY, (line, vkey: string) => {
      const isKey = parseVkey(vkey) !== null;
      if (isKey) vkeys.push(vkey);
      return isKey ? '' : line;
    });
  if (rest.trim() !== '') return { checkpoints: receipts.slice(-1), vkeys: [] };
  return { checkpoints: [...checkpoints, ...receipts], vkeys: [...new Set(vkeys)] };
}

function receiptOf([, size, encoded, keyId]: RegExpMatchArray): GivenCheckpoint[] {
  const root = fromBase64(encoded ?? '');
  if (!root || !Number.isSafeInteger(Number(size))) return [];
  return [{ origin: null, size: Number(size), root, ...(keyId ? { keyIds: [keyId] } : {}) }];
}

/** The texts of several files, and what was pasted, each read by itself. */
export function readAllGiven(texts: readonly string[]): Given {
  const given = texts.map(readGiven);
  return {
    checkpoints: given.flatMap(({ checkpoints }) => checkpoints),
    vkeys: given.flatMap(({ vkeys }) => vkeys),
  };
}

/** A checkpoint with or without signatures below it; null where it is none. */
function noteOf(text: string): GivenCheckpoint | null {
  const [body = '', lines] = text.split('\n\n');
  const isSigned = lines !== undefined;
  const read = readCheckpoint(isSigned ? `${body}\n` : body);
  if (!read || (isSigned && !openNote(text, []))) return null;
  if (!isSigned) return read;
  const ids = lines.split('\n').flatMap((line) => {
    const [, name, encoded] = line.split(' ');
    const bytes = name === read.origin ? fromBase64(encoded ?? '') : null;
    return bytes ? [toHex(bytes.slice(0, 4))] : [];
  });
  return { ...read, note: text, keyIds: ids };
}
