import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { BackupTarget } from '#api/providers/backup/target.ts';
import type { FileStore } from '#api/providers/files.ts';
import type { Keys } from '#api/runtime/config/keys.ts';
import { writeFiles } from './files-part.ts';
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
import { copyCheckpoints, copyLedger, removeOld } from './upkeep.ts';

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

export type BackedUp = Readonly<{ manifest: Manifest; isNew: boolean }>;

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
  const verifiers = [logKey, ...(logKeyBefore ? [logKeyBefore] : [])].map(manifestVerifier);
  const seenKeys = new Set<string>();
  let newest: Readonly<{ name: string; manifest: Manifest }> | null = null;

  /** Another process may have written one since. */
  async function previousManifest(): Promise<Manifest | null> {
    const name = (await listManifests(target, newest?.name)).at(-1);
    if (name !== undefined) newest = { name, manifest: await readManifest(target, name, verifiers) };
    return newest?.manifest ?? null;
  }

  return {
    async run({ whole = false } = {}) {
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
      await beforeStep('files');
      const files = await writeFiles(
        { pool, files: sources.files, target, writer },
        previous?.files ?? null,
        at,
      );
      await beforeStep('ledger');
      await copyLedger(target, await contentsOf(sources.ledger));
      await copyCheckpoints(target, Buffer.from(await sources.checkpoints()));
      const isNew =
        !previous ||
        previous.log !== logPart ||
        previous.state !== state ||
        previous.files !== files ||
        previous.keys.changes !== keys.changes ||
        previous.keys.full !== keys.full;
      if (!isNew) return { manifest: previous, isNew };
      const manifest: Manifest = {
        ...{ n: (previous?.n ?? 0) + 1, at: at.toISOString() },
        ...{ log: logPart, keys, state, files },
        migrations: await migrationsOf(pool),
        checks: checkValues(sources.keys),
      };
      await beforeStep('manifest');
      newest = { name: await writeManifest(target, manifest, logKey), manifest };
      await beforeStep('old');
      if (previous && previous.keys.full !== keys.full) await removeOld(target, manifest, at);
      return { manifest, isNew };
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
