import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import type { FileKey, FileStore } from '#api/providers/files.ts';
import type { Keys } from '#api/runtime/config/keys.ts';
import { type StoredFile, writeFiles } from './files-part.ts';
import { writeKeys } from './keys-part.ts';
import { type LogSource, writeLog } from './log-part.ts';
import {
  checkValues,
  listManifests,
  type Manifest,
  manifestVerifier,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { objectWriter } from './objects.ts';
import { writeState } from './state-part.ts';
import { copyCheckpoints, copyLedger, readDrill, removeOld } from './upkeep.ts';

/** What a backup is made of and where it goes. */
export type BackupSources = Readonly<{
  target: BackupTarget;
  /** Public key of age. */
  recipient: string;
  log: LogSource;
  /** Its sessions see the rows of every business. */
  pool: Pool;
  files: FileStore;
  keys: Pick<Keys, 'data' | 'claim'>;
  /** Keys that sign manifests; the second signed earlier ones. */
  logKey: Buffer;
  logKeyBefore?: Buffer | null;
  /** The file whose contents lie at the top of the target. */
  ledger: string;
  /** The newest checkpoints, as text: they lie there too. */
  checkpoints: () => Promise<string>;
  now: () => Date;
  /** Called before each step: for tests that end a backup there. */
  beforeStep?: (step: BackupStep) => Promise<void>;
}>;

export type BackupStep = 'log' | 'keys' | 'state' | 'files' | 'ledger' | 'manifest' | 'old';

/** `verified` is when the owner's machine last restored from this target to try it, as far as it was looked at; null: unknown. */
export type BackedUp = Readonly<{ manifest: Manifest; isNew: boolean; verified: Date | null }>;

/** How old the state in a backup may become, in milliseconds. */
const STATE_EVERY = 15 * 60_000;

/**
 * Takes the next backup, in the order in which nothing can be missing: log, then keys, state, files, and last the manifest,
 * which makes it one. Throws `OutageError` from target or log, BackupError where the target has a backup of other keys.
 */
export function createBackup(sources: BackupSources): Readonly<{
  /** `whole`: the state too, however young the last one is. Writes nothing where nothing is new. */
  run(options?: { whole?: boolean }): Promise<BackedUp>;
}> {
  const { target, log, pool, now, logKey, logKeyBefore, beforeStep = async () => {} } = sources;
  const writer = objectWriter(target, sources.recipient);
  const logKeys = [logKey, ...(logKeyBefore ? [logKeyBefore] : [])];
  const verifiers = logKeys.map(manifestVerifier);
  const seenKeys = new Set<string>();
  /** The full keys after which old objects were removed. */
  let removedAfter: string | null = null;
  /** Files that lie in the target and that no list names yet, because the backup that wrote them failed. */
  const unlisted = new Map<FileKey, StoredFile>();
  let newest: Readonly<{ name: string; manifest: Manifest }> | null = null;

  /** Another process may have written one since. */
  async function previousManifest(): Promise<Manifest | null> {
    const name = (await listManifests(target, newest?.name)).at(-1);
    if (name !== undefined) newest = { name, manifest: await readManifest(target, name, verifiers) };
    return newest?.manifest ?? null;
  }

  async function take(whole: boolean): Promise<BackedUp> {
    const previous = await previousManifest();
    const at = now();
    await beforeStep('log');
    const logPart = await writeLog(log, writer, previous?.log ?? null, at);
    await beforeStep('keys');
    const keys = await writeKeys(pool, writer, previous?.keys ?? null, seenKeys);
    await beforeStep('state');
    const stateAge = at.getTime() - Date.parse(previous?.state.at ?? '');
    const isDue = whole || !previous || !(stateAge < STATE_EVERY);
    const state = isDue ? await writeState(pool, writer) : previous.state;
    const verified = isDue ? await readDrill(target, logKeys) : null;
    await beforeStep('files');
    const files = await writeFiles(
      { pool, files: sources.files, target, writer, unlisted },
      previous?.files ?? null,
      at,
    );
    await beforeStep('ledger');
    await copyLedger(target, await contentsOf(sources.ledger));
    await copyCheckpoints(target, Buffer.from(await sources.checkpoints()));
    const isUnchanged =
      previous?.log === logPart &&
      previous.state === state &&
      previous.files === files &&
      previous.keys.changes === keys.changes &&
      previous.keys.full === keys.full;
    const manifest: Manifest = isUnchanged
      ? previous
      : {
          ...{ n: (previous?.n ?? 0) + 1, at: at.toISOString() },
          ...{ log: logPart, keys, state, files },
          migrations: await migrationsOf(pool),
          checks: checkValues(sources.keys),
        };
    if (!isUnchanged) {
      await beforeStep('manifest');
      newest = { name: await writeManifest(target, manifest, logKey), manifest };
      unlisted.clear();
    }
    await beforeStep('old');
    // Also after a start, and again where the target failed in the middle of it.
    if (removedAfter !== manifest.keys.fullAt) await removeOld(target, manifest, at);
    removedAfter = manifest.keys.fullAt;
    return { manifest, isNew: !isUnchanged, verified };
  }

  return {
    async run({ whole = false } = {}) {
      try {
        return await take(whole);
      } catch (error) {
        // What was written is in no manifest: the next one is to have it.
        seenKeys.clear();
        throw error;
      }
    },
  };
}

async function migrationsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations.applied order by name');
  return rows.map(({ name }) => name);
}

/** Null where there is no such file. */
async function contentsOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
