import { getPublicKey, sign } from '@noble/ed25519';

import { fromBase64, toBase64, toHex } from './base64.ts';
import { PublicKey } from './ed25519.ts';
import { equalBytes } from './merkle.ts';
import { sha256 } from './sha2.ts';

/**
 * Text with signatures below it, each line naming its key: C2SP `signed-note`, and C2SP `tlog-cosignature` for a
 * signature that states when it was made.
 */
export type NoteKeyKind = 'signature' | 'cosignature';

/**
 * Who may sign a note: `vkey` is `name+key id+base64`, the form in which a key is handed on. The id finds the line of a key: in its 32
 * bits anyone can make another key with the same.
 */
export type NoteVerifier = Readonly<{
  name: string;
  kind: NoteKeyKind;
  vkey: string;
  id: Uint8Array;
  publicKey: PublicKey;
}>;

/** `sign`, where there is one, makes the same signatures faster: Ed25519 has one of a message and a seed. */
export type NoteSigner = Readonly<{
  verifier: NoteVerifier;
  seed: Uint8Array;
  sign?(message: Uint8Array): Uint8Array;
}>;

/** A signature that fits its key. `at` is the instant, in whole seconds, that a cosignature states. */
export type NoteSignature = Readonly<{ name: string; vkey: string; at: Date | null }>;

/** A note taken apart: whose signatures fit, each once, whose do not, and how many lines are of keys that were not given. */
export type OpenedNote = Readonly<{
  text: string;
  signatures: readonly NoteSignature[];
  wrong: readonly string[];
  unknown: number;
}>;

const kinds = { signature: 1, cosignature: 4 } as const satisfies Record<NoteKeyKind, number>;
const ID_BYTES = 4;
const TIME_BYTES = 8;
/** What is longer would only keep a checker busy. */
const MOST_LINES = 100;
const LINE = /^— ([^\s+]+) (\S+)$/u;

/** The signer `name` of a 32-byte seed. A name has no space and no plus. Throws RangeError. */
export function noteSigner(name: string, seed: Uint8Array, kind: NoteKeyKind = 'signature'): NoteSigner {
  if (!/^[^\s+]+$/u.test(name)) throw new RangeError('the name of a key has no space and no plus');
  if (seed.length !== 32) throw new RangeError('the seed of a key is 32 bytes');
  return { verifier: verifierOf(name, kind, getPublicKey(seed)), seed };
}

/** The verifier that a `vkey` describes; null when it is not one. */
export function parseVkey(vkey: string): NoteVerifier | null {
  const [, name, id, key] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? [];
  const bytes = fromBase64(key ?? '');
  const kind = (['signature', 'cosignature'] as const).find((one) => kinds[one] === bytes?.[0]);
  if (!name || !kind || bytes?.length !== 33) return null;
  const verifier = verifierOf(name, kind, bytes.slice(1));
  return verifier.vkey === vkey && id === toHex(verifier.id) ? verifier : null;
}

/** `text` with the signatures of `signers` below it. `at` is what cosignatures state. Throws RangeError for a text that is not whole lines. */
export function signNote(text: string, signers: readonly NoteSigner[], at: Date): string {
  if (!isNoteText(text))
    throw new RangeError('the text of a note is whole lines, without control characters');
  return `${text}\n${signers.map((signer) => signatureLine(text, signer, at)).join('')}`;
}

/** The line that a further signer adds to a note's end. */
export function signatureLine(text: string, signer: NoteSigner, at: Date): string {
  const { verifier, seed } = signer;
  const stated =
    verifier.kind === 'cosignature' ? bigEndian(Math.floor(at.getTime() / 1000)) : new Uint8Array();
  const message = signedBytes(text, verifier.kind, stated);
  const signature = signer.sign?.(message) ?? sign(message, seed);
  return `— ${verifier.name} ${toBase64(Uint8Array.of(...verifier.id, ...stated, ...signature))}\n`;
}

/** Takes a note apart; null when it does not have the form of one. Lines of keys that are not among `verifiers` are counted. */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  if (end < 0 || !isNoteText(text) || lines.pop() !== '' || lines.length === 0) return null;
  if (lines.length > MOST_LINES) return null;
  const signatures = new Map<string, NoteSignature>();
  const wrong: string[] = [];
  let unknown = 0;
  for (const line of lines) {
    const [, name, encoded] = LINE.exec(line) ?? [];
    const bytes = fromBase64(encoded ?? '');
    if (!name || !bytes || bytes.length <= ID_BYTES) return null;
    const verifier = verifiers.find(
      (one) => one.name === name && equalBytes(one.id, bytes.slice(0, ID_BYTES)),
    );
    if (!verifier) {
      unknown += 1;
      continue;
    }
    const stated =
      verifier.kind === 'cosignature' ? bytes.slice(ID_BYTES, ID_BYTES + TIME_BYTES) : new Uint8Array();
    const signature = bytes.slice(ID_BYTES + stated.length);
    if (verifier.publicKey.isRight(signature, signedBytes(text, verifier.kind, stated))) {
      const at = verifier.kind === 'cosignature' ? new Date(Number(fromBigEndian(stated)) * 1000) : null;
      signatures.set(verifier.vkey, { name, vkey: verifier.vkey, at });
    } else {
      wrong.push(verifier.vkey);
    }
  }
  return { text, signatures: [...signatures.values()], wrong, unknown };
}

/** How many leaves the log had, and their root: C2SP `tlog-checkpoint`, without lines of extension. */
export type CheckpointBody = Readonly<{ origin: string; size: number; root: Uint8Array }>;

export function writeCheckpoint({ origin, size, root }: CheckpointBody): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** What the text of a note states as a checkpoint; null when it is not one. */
export function readCheckpoint(text: string): CheckpointBody | null {
  const [origin, size, root] = text.split('\n');
  const bytes = fromBase64(root ?? '');
  if (!origin || !/^\d{1,16}$/.test(size ?? '') || bytes?.length !== 32) return null;
  const body = { origin, size: Number(size), root: bytes };
  return Number.isSafeInteger(body.size) && writeCheckpoint(body) === text ? body : null;
}

/** A place outside of the database to which each checkpoint goes, and which the database's owner cannot take back. */
export type CheckpointOutlet = Readonly<{
  /** Adds a note. Rejects when it could not be written; it is tried again with the next. */
  add(note: string): Promise<void>;
  /** The newest note that is there; null when there is none. */
  newest(): Promise<string | null>;
}>;

/** The id of a key as receipts name it: the eight hex digits in the middle of its `vkey`. */
export function keyIdOf({ id }: NoteVerifier): string {
  return toHex(id);
}

function verifierOf(name: string, kind: NoteKeyKind, publicKey: Uint8Array): NoteVerifier {
  const key = Uint8Array.of(kinds[kind], ...publicKey);
  const id = sha256(Uint8Array.of(...utf8(`${name}\n`), ...key)).slice(0, ID_BYTES);
  const vkey = `${name}+${toHex(id)}+${toBase64(key)}`;
  return { name, kind, vkey, id, publicKey: new PublicKey(publicKey) };
}

/** What is signed: a cosignature states its time in front of the text, so that neither passes as the other. */
function signedBytes(text: string, kind: NoteKeyKind, stated: Uint8Array): Uint8Array {
  return utf8(kind === 'cosignature' ? `cosignature/v1\ntime ${fromBigEndian(stated)}\n${text}` : text);
}

/** Lines that end, and nothing in them that a screen would hide. */
function isNoteText(text: string): boolean {
  return text.endsWith('\n') && !/\p{Cc}/u.test(text.replaceAll('\n', ''));
}

const encoder = new TextEncoder();
const utf8 = (text: string) => encoder.encode(text);

function bigEndian(seconds: number): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  return bytes;
}

function fromBigEndian(bytes: Uint8Array): bigint {
  if (bytes.length !== TIME_BYTES) return 0n;
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
}

/** What a witness answers: the lines by which it signs the note too, or the size of the newest checkpoint that it has signed. */
export type WitnessAnswer =
  | Readonly<{ kind: 'signed'; lines: string }>
  | Readonly<{ kind: 'has'; size: number }>;

/**
 * Another party that signs checkpoints of this log, each only if the one that it signed before is contained in it: C2SP
 * `tlog-witness`. `verifier` is of kind `cosignature`.
 */
export type Witness = Readonly<{
  verifier: NoteVerifier;
  /**
   * `proof` shows that the log of `old` leaves is the beginning of the one that `note` states; `old` is 0 for a witness that has
   * signed nothing. Rejects when the witness does not answer, or refuses, with an Error whose message may be logged.
   */
  sign(
    request: Readonly<{ old: number; proof: readonly Uint8Array[]; note: string }>,
  ): Promise<WitnessAnswer>;
}>;

/** Another party that states that bytes existed: RFC 3161. `source` is its address, without what signs in there. */
export type TimestampAuthority = Readonly<{
  source: string;
  /** The whole answer for a SHA-256, DER, as it came. Rejects, with an Error whose message may be logged, when there is none for this hash. */
  stamp(sha256: Uint8Array): Promise<Uint8Array>;
}>;
