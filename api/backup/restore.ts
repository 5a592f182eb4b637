import type { Pool, PoolClient } from 'pg';
import { continueLog, type PublishedCheckpoint, signedCheckpoints } from '#api/proof/restored-log.ts';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import type { FileStore } from '#api/providers/files.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { readFileList } from './files-part.ts';
import { storeKeys } from './keys-part.ts';
import { type EventSink, loadLog, tableSink } from './load-log.ts';
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
 * BackupError when an object is missing or another one, UnfitLogError when the log does not fit a checkpoint that is out.
 * @param server takes the events instead of the database, where the log lies on a server of its own
 */
export async function restore(sources: RestoreSources, owner: Pool, server?: EventSink): Promise<Restored> {
  const { reader, manifest, newest } = sources;
  const published = await publishedCheckpoints(sources);
  const wanted = await positionsIn(reader, manifest.state);
  const load = async (db: PoolClient): Promise<Restored> => {
    await db.query('set constraints all deferred');
    const loaded = await loadLog(reader, manifest.log, server ?? tableSink(db), {
      wanted,
      sizes: published.map(({ size }) => size),
    });
    for (const object of [...newest.keys.full, ...newest.keys.changes])
      await storeKeys(db, await reader.lines(object));
    const rows = await loadState(db, reader, manifest.state);
    const held = await fitState(db, loaded);
    const { size } = manifest.log;
    const lost = await continueLog(
      db,
      published,
      { size, roots: loaded.roots },
      { logKeys: sources.logKeys, at: new Date() },
    );
    return { events: size, lost, rows, held };
  };
  return inTransaction(owner, load, { once: true });
}

/** What became of the files: how many were written, and those without bytes in the target, or with other bytes than the backup had. */
export type RestoredFiles = Readonly<{
  written: number;
  missing: readonly string[];
  damaged: readonly string[];
}>;

/**
 * Writes the files of the backup that the store lacks, so that a repeat goes on. One that is missing or damaged keeps no other from
 * coming back. Throws OutageError when target or store are unavailable.
 */
export async function restoreFiles(
  { target, reader, manifest, newest }: Pick<RestoreSources, 'target' | 'reader' | 'manifest' | 'newest'>,
  files: FileStore,
): Promise<RestoredFiles> {
  const wanted = new Map(
    [...(await readFileList(target, manifest.files)), ...(await readFileList(target, newest.files))].map(
      (file) => [file.key, file],
    ),
  );
  const missing: string[] = [];
  const damaged: string[] = [];
  let written = 0;
  for (const file of wanted.values()) {
    if ((await files.get(file.key)) !== null) continue;
    if ((await target.get(file.name)) === null) {
      missing.push(file.key);
      continue;
    }
    const bytes = await reader.sealed(file).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error;
      return null;
    });
    if (bytes === null) {
      damaged.push(file.key);
      continue;
    }
    await files.put(file.key, bytes, 'application/octet-stream');
    written += 1;
  }
  return { written, missing, damaged };
}

/** Checkpoints that bear a signature of ours: beside the backup, and those that were given. */
async function publishedCheckpoints({
  target,
  logKeys,
  checkpoints = '',
}: RestoreSources): Promise<PublishedCheckpoint[]> {
  const beside = Buffer.from((await target.get(CHECKPOINTS)) ?? []).toString('utf8');
  return signedCheckpoints(`${beside}\n\n${checkpoints}`, logKeys);
}
