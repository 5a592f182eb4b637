import { fromBase64, toBase64 } from '#core/crypto/base64.ts';
import type { NoteVerifier } from '#core/crypto/note.ts';

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
