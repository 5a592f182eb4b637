import type { PoolClient } from 'pg';
import { notesIn } from '#api/providers/checkpoint-store.ts';
import { equalBytes } from '#core/proof/merkle.ts';
import { type CheckpointBody, noteSigner, openNote, readCheckpoint } from '#core/proof/note.ts';
import { beginEpoch, isBinding, readEpochs } from '#projections/proof/epochs.ts';
import { BackupError } from './objects.ts';

/** The checkpoints in a text that bear a signature of one of these keys (32 bytes each). */
export function signedCheckpoints(text: string, logKeys: readonly Buffer[]): CheckpointBody[] {
  return notesIn(text).flatMap((note) => {
    const body = readCheckpoint(openNote(note, [])?.text ?? '');
    if (!body) return [];
    const verifiers = logKeys.map((key) => noteSigner(body.origin, key).verifier);
    return (openNote(note, verifiers)?.signatures.length ?? 0) > 0 ? [body] : [];
  });
}

/** A log as it is after a restore: how many events it has, and its roots at the sizes of checkpoints that are out. */
export type RestoredLog = Readonly<{ size: number; roots: ReadonlyMap<number, Uint8Array> }>;

type Continued = Readonly<{
  /** Of those who signed checkpoints, the newest first, 32 bytes each. */
  logKeys: readonly Buffer[];
  at: Date;
}>;

/**
 * Compares a restored log with the checkpoints that are out, and begins an epoch where it ends before them: without that
 * every disaster looks like tampering. What an earlier epoch lost binds no more. `db` has `proof.log` as it was restored. Answers
 * how many events are lost. Throws BackupError for a log that is not the beginning of the published one.
 */
export async function continueLog(
  db: PoolClient,
  published: readonly CheckpointBody[],
  { size, roots }: RestoredLog,
  { logKeys, at }: Continued,
): Promise<number> {
  const epochs = await readEpochs(db);
  const binding = published.filter((one) => isBinding(epochs, one));
  const unfit = binding.find((one) => {
    const own = roots.get(one.size);
    return one.size > 0 && one.size <= size && !(own && equalBytes(own, one.root));
  });
  if (unfit)
    throw new BackupError(
      `The log that was restored is not the one of checkpoint ${unfit.size} (${unfit.origin}): something before it was changed.`,
    );
  const last = binding.toSorted((a, b) => a.size - b.size).at(-1);
  if (!last || last.size <= size) return 0;
  const [logKey] = logKeys;
  if (!logKey) throw new BackupError('Events are lost, and LOG_KEY is missing, which is to say so: give it.');
  await beginEpoch(db, last, { size, logKey, at });
  return last.size - size;
}
