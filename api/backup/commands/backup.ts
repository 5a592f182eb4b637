import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BackedUp, createBackup } from '#api/backup/back-up.ts';
import { backupSources, restAfter, takeBackup } from '#api/backup/scheduled.ts';
import { counted } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { type BackupPlace, backupPlace } from '#api/runtime/config/storage.ts';
import { openRawLog } from '#api/runtime/event-log.ts';
import { pause } from '#core/kernel/pause.ts';

/** How often it is asked whether another process has taken its backup, in milliseconds. */
const BUSY = 1_000;

type Options = Readonly<{ to?: BackupPlace; recipient?: string; once?: boolean }>;

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .addOption(
      new Option('--to <place>', 'a folder, or s3://bucket/prefix (default: BACKUP_TO)').argParser(place),
    )
    .option('--recipient <key>', 'a public key of age, to which it is encrypted (default: BACKUP_RECIPIENT)')
    .option('--once', 'takes one backup of everything and ends; else the next one every 45 s')
    .description(
      'Writes a backup that only the owner of the identity can read. The worker does it by itself where BACKUP_TO is set.',
    )
    .action((options: Options) => withSystem((system, signal) => backUp(system, options, signal)));
}

async function backUp(system: System, options: Options, signal: AbortSignal): Promise<boolean> {
  const { config, pool, connectionString, proof } = system;
  const to = options.to ?? config.backup.to;
  const recipient = options.recipient ?? config.backup.recipient;
  if (to === null) throw new Error('Say where to: --to, or BACKUP_TO.');
  if (recipient === null)
    throw new Error('A backup is encrypted: give BACKUP_RECIPIENT, the public key of age.');
  const log = await openRawLog(config, { log: pool, url: connectionString });
  try {
    const backup = createBackup(backupSources(config, { to, recipient }, { pool, log, proof }));
    for (let isFirst = true; ; ) {
      const began = performance.now();
      const done = await takeBackup({ pool, connectionString, backup, whole: isFirst });
      if (done?.isNew) print([lineOf(done)]);
      if (done && options.once) return true;
      isFirst &&= done === null;
      await pause(done ? restAfter(performance.now() - began) : BUSY, signal);
      signal.throwIfAborted();
    }
  } finally {
    await log.close();
  }
}

function lineOf({ manifest: { n, log, files, state } }: BackedUp): string {
  return `backup ${n}: ${counted(log.size, 'event')}, ${Object.keys(state.tables).length} tables of ${state.at}, ${counted(files.count, 'file')}`;
}

/** `--to`, checked. */
function place(raw: string): BackupPlace {
  try {
    return backupPlace(raw);
  } catch (error) {
    throw new InvalidArgumentError(`It is ${(error as Error).message}.`);
  }
}
