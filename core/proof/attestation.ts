import type { NoteVerifier } from './note.ts';

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
   * signed nothing. Rejects when the witness does not answer, or refuses.
   */
  sign(
    request: Readonly<{ old: number; proof: readonly Uint8Array[]; note: string }>,
  ): Promise<WitnessAnswer>;
}>;

/** Another party that states that bytes existed: RFC 3161. `source` is its address, without what signs in there. */
export type TimestampAuthority = Readonly<{
  source: string;
  /** The whole answer for a SHA-256, DER, as it came. Rejects when there is none, or none for this hash. */
  stamp(sha256: Uint8Array): Promise<Uint8Array>;
}>;
