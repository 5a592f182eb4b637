import type { PoolClient } from 'pg';
import type { Config } from '#api/runtime/config/config.ts';
import { equalBytes } from '#core/crypto/merkle.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import type { CheckpointBody } from '#core/proof/checkpoint.ts';
import { notesIn, openCheckpointStore } from './checkpoint-store.ts';
import {
  beginEpoch,
  begunByUs,
  isBinding,
  isLaterThan,
  newestOf,
  ownCheckpoint,
  readEpochs,
} from './epochs.ts';
import { rootsAt } from './roots.ts';

/** A checkpoint that is out, as a restored log is compared with it. */
export type PublishedCheckpoint = CheckpointBody;

/** A restored log is not the beginning of the one that was published, or cannot say what it lost. The message is one line for the operator. */
export class UnfitLogError extends Error {
  override readonly name = 'UnfitLogError';
}

/** The checkpoints that this installation wrote outside of its database, as text; empty where it wrote none, or signs nothing. */
export async function checkpointsOutside({
  proof,
  backup,
}: Pick<Config, 'proof' | 'backup'>): Promise<string> {
  return (proof && (await openCheckpointStore(proof, backup).all())) ?? '';
}

/** The checkpoints in a text that bear a signature of one of these keys (32 bytes each). */
export function signedCheckpoints(text: string, logKeys: readonly Buffer[]): PublishedCheckpoint[] {
  return notesIn(text).flatMap((note) => ownCheckpoint(note, logKeys) ?? []);
}

/** A log as it is after a restore: how many events it has, and its roots at the sizes of checkpoints that are out. */
export type RestoredLog = Readonly<{ size: number; roots: ReadonlyMap<number, Uint8Array> }>;

/** A log as it was found after a restore, as far as these checkpoints ask. Aborted, it throws the reason of `signal`. */
export function restoredLog(
  log: LeafReader,
  published: readonly PublishedCheckpoint[],
  signal: AbortSignal,
): Promise<RestoredLog> {
  return rootsAt(
    log,
    published.map(({ size }) => size),
    { signal },
  );
}

type Continued = Readonly<{
  /** Of those who signed checkpoints, the newest first, 32 bytes each. */
  logKeys: readonly Buffer[];
  at: Date;
}>;

/**
 * Compares a restored log with the checkpoints that are out, and begins an epoch where it ends before them, or where they are of an
 * epoch that `db` does not know: without that every disaster looks like tampering. What an earlier epoch lost binds no more. `db`
 * has `proof.log` as it was restored. Answers how many events are lost. Throws UnfitLogError for a log that is not the beginning of the
 * published one.
 */
export async function continueLog(
  db: PoolClient,
  published: readonly PublishedCheckpoint[],
  { size, roots }: RestoredLog,
  { logKeys, at }: Continued,
): Promise<number> {
  const epochs = begunByUs(await readEpochs(db), published, logKeys);
  const binding = published.filter((one) => isBinding(epochs, one));
  const unfit = binding.find((one) => {
    const own = roots.get(one.size);
    return one.size > 0 && one.size <= size && !(own && equalBytes(own, one.root));
  });
  if (unfit)
    throw new UnfitLogError(
      `The log that was restored is not the one of checkpoint ${unfit.size} (${unfit.origin}): something before it was changed.`,
    );
  const last = newestOf(binding);
  if (!last || (last.size <= size && !isLaterThan(epochs, last))) return 0;
  const [logKey] = logKeys;
  if (!logKey)
    throw new UnfitLogError('Events are lost, and LOG_KEY is missing, which is to say so: give it.');
  const common = Math.min(size, last.size);
  await beginEpoch(db, last, { size: common, logKey, at });
  return last.size - common;
}
