import { type Command, InvalidArgumentError, Option } from 'commander';
import { serverSink } from '#api/backup/load-log.ts';
import { checkValues, type Manifest } from '#api/backup/manifest.ts';
import { BackupError, objectReader } from '#api/backup/objects.ts';
import {
  type Restored,
  type RestoredFiles,
  type RestoreSources,
  refuseFilled,
  restore,
  restoreFiles,
} from '#api/backup/restore.ts';
import { noteDrill } from '#api/backup/upkeep.ts';
import { counted } from '#api/cli/report.ts';
import { print, printError } from '#api/cli/terminal.ts';
import { createLogger } from '#api/http/log.ts';
import { parseLedger } from '#api/privacy/ledger.ts';
import { checkpointsOutside, UnfitLogError } from '#api/proof/restored-log.ts';
import { type BackupTarget, openTarget } from '#api/providers/backup-target.ts';
import { configuredFiles } from '#api/providers/files.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { logKeysOf } from '#api/runtime/config/proof.ts';
import { type BackupPlace, backupPlace } from '#api/runtime/config/storage.ts';
import { connectDatabase } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { openRawLog } from '#api/runtime/event-log.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { migrate, readMigrations } from '#migrations/run.ts';
import { afterPitr } from './after-pitr.ts';
import { chooseManifest, type Options, placeLedger, readIdentity, readLedger } from './chosen-backup.ts';
import { type DrilledBackup, drill, seconds } from './drill.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .addOption(new Option('--from <place>', 'a folder, or s3://bucket/prefix').argParser(place))
    .option('--identity <file>', 'the secret key of age (AGE-SECRET-KEY-1…) that opens it')
    .addOption(
      new Option(
        '--at <moment>',
        'the backup of then, as an instant with its offset, or the one with so many events at most (default: the newest)',
      ).argParser(moment),
    )
    .option(
      '--into <address...>',
      'postgres://… or esdb://… instead of what the environment names; postgres by the owner’s login',
    )
    .option('--key <vkey>', 'who signed the backup, where LOG_KEY was lost')
    .option('--without-ledger', 'although the backup has no erasures.log: erased people may come back')
    .option('--verify', 'a drill: into a database that is deleted afterwards, with every check there is')
    .addOption(
      new Option(
        '--after-pitr',
        'instead: makes Postgres whole that you took back to an earlier moment. With --from also by the keys and the ledger of a backup',
      ).conflicts(['at', 'into', 'verify']),
    )
    .option('--dry-run', 'with --after-pitr: shows what would be done, and changes nothing')
    .description(
      'Restores a backup into an empty installation. Exit code 1, and one line, when it does not fit.',
    )
    .action(async (given: Partial<Options>) => {
      const { from, identity, dryRun } = given;
      if (given.afterPitr) return afterPitr(given);
      if (from && identity && !dryRun) return run({ ...given, from, identity });
      printError(dryRun ? '--dry-run is of --after-pitr alone.' : 'A restore needs --from and --identity.');
      process.exitCode = 1;
      return undefined;
    });
}

async function run(options: Options): Promise<void> {
  try {
    if (options.verify) await drill((environment) => restoreInto(environment, options));
    else await restoreInto(withTargets(process.env, options.into ?? []), options);
  } catch (error) {
    printError((error as Error).message.split('\n')[0] ?? '');
    process.exitCode = 1;
  }
}

async function restoreInto(environment: Environment, options: Options): Promise<DrilledBackup> {
  const began = performance.now();
  const config = configure(environment);
  const logKeys = logKeysOf(config.proof);
  const target = openTarget(options.from, config.backup);
  const reader = objectReader(target, readIdentity(options.identity));
  const { manifest, newest } = await chooseManifest(target, options, logKeys);
  refuseOtherKeys(manifest, config);
  const ledger = await readLedger(target, options);
  const checkpoints = await checkpointsOutside(config);
  const sources: RestoreSources = { target, reader, manifest, newest, logKeys, checkpoints };
  const { restored, files } = await load(config, sources);
  if (ledger !== null) placeLedger(config.erasuresTo, ledger);
  print([
    `backup ${manifest.n} of ${manifest.at}: ${counted(restored.events, 'event')}, their root is the one of the manifest`,
    `keys of ${newest.keys.at}, ${counted(restored.rows, 'row')} of ${manifest.state.at}, ${counted(files.written, 'file')}`,
    ...(restored.lost > 0
      ? [`MISSING: ${counted(restored.lost, 'event')} that a checkpoint had; a new epoch of the log begins`]
      : []),
    ...(restored.held > 0 && !options.verify
      ? [`${counted(restored.held, 'message')} waited: not sent now, see ute outbox list`]
      : []),
    ...files.missing.map((key) => `MISSING: the bytes of ${key}`),
    ...files.damaged.map((key) => `DAMAGED in the target: the bytes of ${key}`),
    options.verify
      ? `into a database for the drill alone; ${seconds(began)} s`
      : `everybody signs in again; ${seconds(began)} s. The next start builds the read models and applies the ledger.`,
  ]);
  const erased = ledger === null ? [] : parseLedger(ledger).lines.map(({ subject }) => subject);
  const isWhole = files.damaged.length === 0;
  if (!isWhole) process.exitCode = 1;
  return { manifest, erased, isWhole, noteWell: () => noteWell(target, manifest, config) };
}

/** A target that this machine may only read is no fault of the backup. */
async function noteWell(target: BackupTarget, manifest: Manifest, { proof }: Config): Promise<void> {
  if (!proof) return print(['Not noted in the target, as LOG_KEY is missing.']);
  try {
    await noteDrill(target, { manifest, at: new Date(), logKey: proof.key });
    print(['Noted in the target: the worker reads it with its next state.']);
  } catch {
    print(['Not noted in the target, which cannot be written from here.']);
  }
}

type Loaded = Readonly<{ restored: Restored; files: RestoredFiles }>;

/**
 * Fills the database with the rights of its owner, whom the migrations are given. Files come first: a store or a target that fails in
 * the middle of them leaves the database empty, and a repeat goes on with the others.
 */
async function load(config: Config, sources: RestoreSources): Promise<Loaded> {
  let loaded: Loaded | undefined;
  const raw =
    config.eventStoreUrl === undefined
      ? null
      : await openRawLog(config, { log: new SessionPool({}), url: '' });
  const database = await connectDatabase(config, createLogger('error'), async (ownerUrl) => {
    const owner = new SessionPool({ connectionString: ownerUrl, max: 2 });
    owner.on('error', () => {});
    try {
      await refuseFilled(owner);
      if (raw && (await raw.head()) !== '0' && (await raw.readAll('0', 1)).length > 0)
        throw new BackupError('The log on EVENTSTORE_URL is not empty: nothing was changed.');
      await migrateTo(ownerUrl, sources.manifest);
      // Another identity opens nothing: that is said before all files are read.
      const [anyObject] = sources.manifest.state.objects;
      if (anyObject) await sources.reader.sealed(anyObject);
      const files = await restoreFiles(sources, configuredFiles(config.files));
      const restored = await restore(sources, owner, raw ? serverSink(raw) : undefined);
      loaded = { restored, files };
      await migrate(ownerUrl);
    } finally {
      await owner.end();
    }
  });
  try {
    await database.prepare().catch((error: Error) => {
      const isOurs = error.cause instanceof BackupError || error.cause instanceof UnfitLogError;
      throw isOurs ? error.cause : error;
    });
  } finally {
    await database.close();
    await raw?.close();
  }
  return loaded as Loaded;
}

/** To the shape that the database had when the backup was taken; what came since follows once the rows are there. */
async function migrateTo(ownerUrl: string, { migrations }: Manifest): Promise<void> {
  const known = await readMigrations(new URL('../../../migrations/sql/', import.meta.url));
  const unknown = migrations.find((name) => !known.some((one) => one.name === name));
  if (unknown)
    throw new BackupError(
      `The backup has migration ${unknown}, which this release does not know: take a newer one.`,
    );
  await migrate(
    ownerUrl,
    known.filter(({ name }) => migrations.includes(name)),
  );
}

function refuseOtherKeys(manifest: Manifest, { keys }: Config): void {
  const own = checkValues(keys);
  const other = Object.keys(own).filter((variable) => own[variable] !== manifest.checks[variable]);
  if (other.length > 0) throw new BackupError(`${other.join(' and ')} is not the one of this backup.`);
}

function withTargets(environment: Environment, into: readonly string[]): Environment {
  const postgres = into.find((address) => /^postgres(ql)?:/.test(address));
  const server = into.find((address) => /^esdb(\+discover)?:/.test(address));
  return {
    ...environment,
    ...(postgres ? { DATABASE_URL: postgres, MIGRATION_DATABASE_URL: postgres } : {}),
    ...(server ? { EVENTSTORE_URL: server } : {}),
  };
}

function place(raw: string): BackupPlace {
  try {
    return backupPlace(raw);
  } catch (error) {
    throw new InvalidArgumentError(`It is ${(error as Error).message}.`);
  }
}

function moment(raw: string): Date | number {
  if (/^\d{1,15}$/.test(raw)) return Number(raw);
  const at = new Date(raw);
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(raw) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError(
      'An instant with its offset, such as 2026-11-20T09:00:00+11:00, or a number of events.',
    );
  return at;
}
