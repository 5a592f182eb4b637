import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type BackupSources, createBackup } from '#api/backup/back-up.ts';
import { objectReader } from '#api/backup/objects.ts';
import { folderTarget } from '#api/providers/backup-target.ts';
import { checkpointFile } from '#api/providers/checkpoint-store.ts';
import { localFiles } from '#api/providers/files.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/run/temp-folder.ts';

const keyOf = (name: string) => createHash('sha256').update(`${name} of a test`).digest();
export const backupKeys = { data: keyOf('DATA_KEY'), claim: keyOf('CLAIM_KEY') };
export const logKey = keyOf('LOG_KEY');

export type BackupStage = Awaited<ReturnType<typeof openBackupStage>>;

/** A log with a folder that its backup goes to, a clock that the test moves, and the keys of both. `close` removes all. */
export async function openBackupStage() {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const folder = tempFolder('backup');
  const database = await testDatabase();
  const { pool, url: connectionString } = database;
  const store = createEmbeddedEventStore({ pool, connectionString, dataKey: backupKeys.data });
  const log = openEmbeddedLog({ pool, connectionString });
  const target = folderTarget(join(folder.path, 'target'));
  let now = Date.parse('2026-11-23T00:00:00.000Z');
  const sources: BackupSources = {
    ...{ target, recipient, pool, logKey, keys: backupKeys },
    log: { ...log, kind: 'embedded' },
    files: localFiles(join(folder.path, 'files')),
    ledger: join(folder.path, 'erasures.log'),
    checkpoints: () => checkpointFile(join(folder.path, 'checkpoints.txt')).recent(20),
    now: () => new Date(now),
  };
  return {
    ...{ identity, recipient, folder: folder.path, database, store, target, sources },
    backup: createBackup(sources),
    reader: objectReader(target, identity),
    /** Moves the clock. */
    pass(minutes: number): void {
      now += minutes * 60_000;
    },
    /** Appends so many events to a stream, a new one unless given. */
    async seed(amount: number, stream: StreamName = newJobStream()): Promise<StreamName> {
      const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
      await store.append(stream, 'no-stream', events, cause);
      return stream;
    },
    async close(): Promise<void> {
      await Promise.all([store.close(), log.close()]);
      await database.close();
      folder.remove();
    },
  };
}
