import { fromBase64 } from '#core/crypto/base64.ts';
import { verifyConsistency } from '#core/crypto/merkle.ts';
import { keyIdOf, type NoteVerifier, openNote } from '#core/crypto/note.ts';
import { sha256 } from '#core/crypto/sha2.ts';
import type { Clock } from '#core/job/words.ts';
import { type CheckpointBody, readCheckpoint } from './checkpoint.ts';
import { type Finding, failed, notChecked, proven, unconfirmed } from './finding.ts';
import type { Anchor, Attested } from './record.ts';

/**
 * A checkpoint that the reader was handed. `origin` is null in a receipt, which names none; `note` is its text with signatures, where it
 * has some; `keyIds` are those of the keys that it names.
 */
export type GivenCheckpoint = Readonly<{
  origin: string | null;
  size: number;
  root: Uint8Array;
  note?: string;
  keyIds?: readonly string[];
}>;

/** What the reader of a record has of the log from elsewhere. */
export type Given = Readonly<{ checkpoints: readonly GivenCheckpoint[]; vkeys: readonly string[] }>;

export const nothingGiven: Given = { checkpoints: [], vkeys: [] };

/** What one thing that the reader has shows: of how many events, and which keys of the record it makes known. */
export type Shown = Readonly<{ findings: readonly Finding[]; below?: number; keys?: readonly string[] }>;

/** What is compared with what the reader has: `signedBy` are the keys with a right line under the record's checkpoint. */
export type Own = Readonly<{
  body: CheckpointBody;
  signedBy: readonly NoteVerifier[];
  verifiers: readonly NoteVerifier[];
  anchors: readonly Anchor[];
}>;

/** A checkpoint that the reader has. Its root binds what is before it; by whom it is signed, the reader knows that key too. */
export function checkGiven(one: GivenCheckpoint, keys: readonly NoteVerifier[], own: Own): Shown {
  const { body, verifiers, signedBy, anchors } = own;
  if (one.origin !== null && one.origin !== body.origin)
    return { findings: [notChecked(`Your checkpoint is of another log: ${one.origin}.`)] };
  // Apart: a key of the record may have the id of one that the reader has.
  const [byOwn, byKeys] = [verifiers, keys].map((some) => (one.note ? openNote(one.note, some) : null));
  if (byOwn?.wrong.length || byKeys?.wrong.length)
    return { findings: [failed(`A signature under your checkpoint of ${one.size} events is wrong.`)] };
  const signers = byOwn ? byOwn.signatures.filter(({ name }) => name === body.origin) : [];
  const both = signers.filter(({ vkey }) => signedBy.some((other) => other.vkey === vkey));
  const known =
    both.length === 0
      ? []
      : [
          proven('The key that signed your checkpoint signed this log too.', {
            detail: `Your checkpoint and this log are signed by ${both.map(({ vkey }) => vkey).join(' and ')}`,
          }),
        ];
  const compared = compare(one, body, anchors);
  return {
    findings: [...compared, ...known, ...(known.length > 0 ? [] : idWords(one, signedBy))],
    below: compared.some(({ verdict }) => verdict === 'proven') ? one.size : 0,
    keys: signers.map(({ vkey }) => vkey),
  };
}

function compare(one: GivenCheckpoint, own: CheckpointBody, anchors: readonly Anchor[]): Finding[] {
  const proof = one.size === own.size ? [] : anchors.find(({ size }) => size === one.size)?.proof;
  if (!proof)
    return [
      notChecked(
        `Your checkpoint is of ${one.size} events, and this record has no proof to it. Ask for a record with that anchor.`,
      ),
    ];
  return [
    isBeginning(one, own, proof)
      ? proven(
          `It is the log of your checkpoint of ${one.size} events: nothing in it before was changed since.`,
        )
      : failed(`It is not the log of your checkpoint of ${one.size} events.`),
  ];
}

/** The id of a key is a hint: of its 32 bits, a forger can find another key. */
function idWords({ keyIds = [] }: GivenCheckpoint, signedBy: readonly NoteVerifier[]): Finding[] {
  const own = signedBy.filter(({ kind }) => kind === 'signature').map(keyIdOf);
  const id = own.find((one) => keyIds.includes(one));
  if (keyIds.length === 0) return [];
  return [
    unconfirmed(
      id
        ? `The key in this record has the short id that your receipt names, ${id}. That is a good sign and no proof: compare the whole key.`
        : `This record is signed by another key than your receipt or checkpoint names. Do not rely on what came after it, unless you were told of a new key.`,
      {
        detail: `You have a checkpoint that names the key ${keyIds.join(' and ')}; this record is signed by ${own.join(' and ')}.`,
      },
    ),
  ];
}

/** A key of the log that the reader has. */
export function checkKey({ vkey, name }: NoteVerifier, { body, signedBy }: Own): Shown {
  const detail = `The key that you have is ${vkey}`;
  if (name !== body.origin)
    return { findings: [notChecked('A key that you have is of another log.', { detail })] };
  if (!signedBy.some((one) => one.vkey === vkey))
    return { findings: [failed('The log was not signed by the key that you have.', { detail })] };
  return { findings: [proven('The log was signed by the key that you have.', { detail })], keys: [vkey] };
}

/** What a witness whose key the reader has says of the log: up to the size that it signed, there is no other one of this name beside. */
export function checkWitness(witness: NoteVerifier, attested: readonly Attested[], clock: Clock): Shown {
  const opened = attested.flatMap(({ note }) => openNote(note, [witness]) ?? []);
  if (opened.some(({ wrong }) => wrong.length > 0))
    return { findings: [failed(`The signature of the witness ${witness.name} is wrong.`)] };
  const seen = opened.flatMap(({ text, signatures: [line] }) => {
    const body = readCheckpoint(text);
    return body && line?.at ? [{ size: body.size, at: line.at }] : [];
  });
  if (seen.length === 0)
    return { findings: [notChecked(`The witness ${witness.name} signed no checkpoint of this record.`)] };
  return {
    findings: seen.map(({ size, at }) =>
      proven(`The witness ${witness.name} signed this log at ${size} events, on ${clock(at)}.`),
    ),
    below: Math.max(...seen.map(({ size }) => size)),
  };
}

export function isBeginning(
  older: Readonly<{ size: number; root: Uint8Array }> | null,
  newer: CheckpointBody,
  proof: readonly string[],
): boolean {
  const hashes = bytesOf(proof);
  return older !== null && hashes !== null && verifyConsistency(sha256, older, newer, hashes);
}

/** Null unless each is a hash in base64. */
export function bytesOf(proof: readonly string[]): Uint8Array[] | null {
  const hashes = proof.flatMap((one) => fromBase64(one) ?? []);
  return hashes.length === proof.length && hashes.every(({ length }) => length === 32) ? hashes : null;
}
