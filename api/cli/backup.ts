import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Pool } from 'pg';
import { type BackedUp, createBackup } from '#api/backup/back-up.ts';
import { openTarget } from '#api/providers/backup/open-target.ts';
import { openCheckpointStore } from '#api/providers/checkpoint-store.ts';
import { configuredFiles } from '#api/providers/files.ts';
import { type BackupPlace, backupPlace } from '#api/runtime/config/backup.ts';
import { openRawLog } from '#api/runtime/event-store.ts';
import { pause } from '#core/kernel/pause.ts';
import { whileLocked } from '#core/postgres/locks.ts';
import { print, type System, withSystem } from './system.ts';

/** How often `ute backup` takes the next one, in milliseconds. */
const EVERY = 60_000;
/** How many checkpoints lie beside a backup. */
const CHECKPOINTS_BESIDE = 20;

type Options = Readonly<{ to?: BackupPlace; recipient?: string; once?: boolean }>;

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .addOption(
      new Option('--to <place>', 'a folder, or s3://bucket/prefix (default: BACKUP_TO)').argParser(place),
    )
    .option('--recipient <key>', 'a public key of age, to which it is encrypted (default: BACKUP_RECIPIENT)')
    .option('--once', 'takes one backup of everything and ends; else the next one each minute')
    .description('Writes a backup that only the owner of the identity can read. See api/OPERATE.md.')
    .action((options: Options) => withSystem((system, signal) => backUp(system, options, signal)));
}

async function backUp(system: System, options: Options, signal: AbortSignal): Promise<boolean> {
  const { config, pool, connectionString } = system;
  const to = options.to ?? config.backup.to;
  const recipient = options.recipient ?? config.backup.recipient;
  if (to === null) throw new Error('Say where to: --to, or BACKUP_TO.');
  if (recipient === null)
    throw new Error('A backup is encrypted: give BACKUP_RECIPIENT, the public key of age.');
  if (config.proof === null) throw new Error('A backup is signed: LOG_KEY is missing.');
  const log = openRawLog(config, { log: pool, url: connectionString });
  try {
    const store = openCheckpointStore(config.proof, config.backup);
    const backup = createBackup({
      ...{ target: openTarget(to, config.backup), recipient, pool, now: () => new Date() },
      log: { ...log, kind: config.eventStoreUrl === undefined ? 'embedded' : 'eventstoredb' },
      files: configuredFiles(config.files),
      keys: config.keys,
      ...{ logKey: config.proof.key, logKeyBefore: config.proof.before?.key ?? null },
      ...{ ledger: config.erasuresTo, checkpoints: () => store.recent(CHECKPOINTS_BESIDE) },
    });
    for (let isFirst = true; ; isFirst = false) {
      const begun = new Date();
      const done = await whileLocked(connectionString, 'backup', () => backup.run({ whole: isFirst }));
      await noteTaken(pool, done, begun);
      if (done.isNew) print([lineOf(done)]);
      if (options.once) return true;
      await pause(EVERY, signal);
      signal.throwIfAborted();
    }
  } finally {
    await log.close();
  }
}

/** Notes up to which moment each part reaches, for `ute doctor`. */
async function noteTaken(pool: Pool, { manifest: { state } }: BackedUp, begun: Date): Promise<void> {
  await pool.query(
    `insert into state.backups (part, at) values ('log', $1), ('keys', $1), ('files', $1), ('state', $2)
     on conflict (part) do update set at = excluded.at`,
    [begun, state.at],
  );
}

function lineOf({ manifest: { n, log, files, state } }: BackedUp): string {
  return `backup ${n}: ${log.size} events, ${Object.keys(state.tables).length} tables of ${state.at}, ${files.count} files`;
}

/** `--to`, checked. */
function place(raw: string): BackupPlace {
  try {
    return backupPlace(raw);
  } catch (error) {
    throw new InvalidArgumentError(`It is ${(error as Error).message}.`);
  }
}
