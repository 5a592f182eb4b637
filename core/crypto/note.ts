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
