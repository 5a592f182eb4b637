import type { Pool, PoolClient } from 'pg';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import { notesIn } from '#api/providers/checkpoint-store.ts';
import type { FileStore } from '#api/providers/files.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { equalBytes } from '#core/proof/merkle.ts';
import { type CheckpointBody, noteSigner, openNote, readCheckpoint } from '#core/proof/note.ts';
import { readFileList } from './files-part.ts';
import { storeKeys } from './keys-part.ts';
import { type EventSink, type LoadedLog, loadLog, tableSink } from './load-log.ts';
import { fitState, loadState, positionsIn } from './load-state.ts';
import type { Manifest } from './manifest.ts';
import { BackupError, type ObjectReader } from './objects.ts';
import { CHECKPOINTS } from './upkeep.ts';

export type RestoreSources = Readonly<{
  target: BackupTarget;
  reader: ObjectReader;
  /** What is restored. */
  manifest: Manifest;
  /** The newest of the target: keys are always its. */
  newest: Manifest;
  /** Of those who signed checkpoints: 32 bytes each. */
  logKeys: readonly Buffer[];
  /** Checkpoints that were stored elsewhere besides, as text. */
  checkpoints?: string;
}>;

export type Restored = Readonly<{
  events: number;
  /** Events that a checkpoint had which is out, and that are not in the backup. */
  lost: number;
  rows: number;
  /** Messages that waited, and now wait for the operator. */
  held: number;
}>;

/** Throws BackupError when the database has events or keys already, or cannot be looked into. */
export async function refuseFilled(db: Pool): Promise<void> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regclass('event_store.events') is not null as there`,
  );
  if (!rows[0]?.there) return;
  const { rows: filled } = await db.query<{ filled: boolean }>(
    'select exists (select from event_store.events) or exists (select from state.subject_keys) as filled',
  );
  if (filled[0]?.filled)
    throw new BackupError('The database is not empty: restore into a new one, nothing was changed.');
}

/**
 * Writes log, keys and state of a backup into an empty, migrated database, in one transaction of its owner. Throws
 * BackupError when an object is missing or another one, or when the log does not fit a checkpoint that is out.
 * @param server takes the events instead of the database, where the log lies on a server of its own
 */
export async function restore(sources: RestoreSources, owner: Pool, server?: EventSink): Promise<Restored> {
  const { reader, manifest, newest } = sources;
  const published = await publishedCheckpoints(sources);
  const wanted = await positionsIn(reader, manifest.state);
  return inTransaction(owner, async (db) => {
    await db.query('set constraints all deferred');
    const loaded = await loadLog(reader, manifest.log, server ?? tableSink(db), {
      wanted,
      sizes: published.map(({ size }) => size),
    });
    refuseUnfit(published, manifest, loaded);
    for (const object of [...newest.keys.full, ...newest.keys.changes])
      await storeKeys(db, await reader.lines(object));
    const rows = await loadState(db, reader, manifest.state);
    const held = await fitState(db, loaded);
    const { size } = manifest.log;
    const last = published.toSorted((a, b) => a.size - b.size).at(-1);
    const lost = Math.max(0, (last?.size ?? 0) - size);
    if (last && lost > 0) await beginEpoch(db, last, size);
    return { events: size, lost, rows, held };
  });
}

/** Files of the backup that the store lacks. Answers how many were written, and the names of those that are not in the target. */
export async function restoreFiles(
  { target, reader, manifest, newest }: Pick<RestoreSources, 'target' | 'reader' | 'manifest' | 'newest'>,
  files: FileStore,
): Promise<Readonly<{ written: number; missing: readonly string[] }>> {
  const wanted = new Map(
    [...(await readFileList(target, manifest.files)), ...(await readFileList(target, newest.files))].map(
      (file) => [file.key, file],
    ),
  );
  const missing: string[] = [];
  let written = 0;
  for (const file of wanted.values()) {
    if ((await files.get(file.key)) !== null) continue;
    if ((await target.get(file.name)) === null) {
      missing.push(file.key);
      continue;
    }
    await files.put(file.key, await reader.sealed(file), 'application/octet-stream');
    written += 1;
  }
  return { written, missing };
}

/** Checkpoints that bear a signature of ours: beside the backup, and those that were given. */
async function publishedCheckpoints({
  target,
  logKeys,
  checkpoints = '',
}: RestoreSources): Promise<CheckpointBody[]> {
  const beside = Buffer.from((await target.get(CHECKPOINTS)) ?? []).toString('utf8');
  return notesIn(`${beside}\n\n${checkpoints}`).flatMap((note) => {
    const body = readCheckpoint(openNote(note, [])?.text ?? '');
    if (!body) return [];
    const verifiers = logKeys.map((key) => noteSigner(body.origin, key).verifier);
    return (openNote(note, verifiers)?.signatures.length ?? 0) > 0 ? [body] : [];
  });
}

/** A log that is no beginning of the one that was published is another one, and no disaster explains it. */
function refuseUnfit(published: readonly CheckpointBody[], { log }: Manifest, loaded: LoadedLog): void {
  const unfit = published.find(({ size, root }) => {
    const own = loaded.roots.get(size);
    return size > 0 && size <= log.size && !(own && equalBytes(own, root));
  });
  if (unfit)
    throw new BackupError(
      `The log of the backup is not the one of checkpoint ${unfit.size} (${unfit.origin}): something before it was changed.`,
    );
}

/** Says in the log's own name that events were lost: without it every disaster looks like tampering. */
async function beginEpoch(db: PoolClient, last: CheckpointBody, size: number): Promise<void> {
  const first = last.origin.replace(/\.\d+$/, '');
  await db.query(
    `insert into proof.log (epoch, origin, from_size)
     select 1, $1, 0 where not exists (select from proof.log)`,
    [first],
  );
  await db.query(
    `insert into proof.log (epoch, origin, from_size, why)
     select max(epoch) + 1, $1 || '.' || max(epoch) + 1, $2, $3 from proof.log`,
    [
      ...[first, size],
      `continues ${last.origin} at ${size}; ${last.size - size} events up to ${last.size} were lost`,
    ],
  );
}
