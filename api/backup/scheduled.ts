import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { type BackupTarget, openTarget } from '#api/providers/backup-target.ts';
import { configuredFiles } from '#api/providers/files.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { BackupPlace } from '#api/runtime/config/storage.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { pause } from '#core/kernel/pause.ts';
import { tryLock } from '#core/postgres/locks.ts';
import { type BackedUp, type BackupSources, createBackup } from './back-up.ts';
import type { LogSource } from './log-part.ts';
import { BackupError } from './objects.ts';

/** From where one backup begins to where the next does, in milliseconds: as long as one takes 15 s, a lost machine costs a minute. */
const BACKUP_EVERY = 45_000;
/** The shortest rest, after a backup that took longer than that, in milliseconds. */
const LEAST_REST = 5_000;
/** How many checkpoints lie beside a backup. */
const CHECKPOINTS_BESIDE = 20;
/** The longest rest after an object, in milliseconds. */
const LONGEST_REST = 2_000;
const LOCK = 'backup';

type Backup = ReturnType<typeof createBackup>;

/** Where a backup goes, and the public key of age that it is encrypted to. */
export type BackupDestination = Readonly<{ to: BackupPlace; recipient: string }>;

/**
 * What an installation backs up. Throws BackupError without `LOG_KEY`, which signs it, RangeError for a bucket without
 * keys to reach it. `log` is closed by its owner.
 */
export function backupSources(
  config: Config,
  { to, recipient }: BackupDestination,
  given: Readonly<{ pool: Pool; log: Omit<LogSource, 'kind'> }> & Pick<Deps, 'proof'>,
): BackupSources {
  const { proof, backup, files, keys, erasuresTo: ledger, eventStoreUrl } = config;
  if (proof === null) throw new BackupError('A backup is signed: LOG_KEY is missing.');
  const { pool, log } = given;
  return {
    ...{ target: openTarget(to, backup), recipient, pool, keys, ledger, now: () => new Date() },
    log: { ...log, kind: eventStoreUrl === undefined ? 'embedded' : 'eventstoredb' },
    files: configuredFiles(files),
    ...{ logKey: proof.key, logKeyBefore: proof.before?.key ?? null },
    checkpoints: () => given.proof.recentNotes(CHECKPOINTS_BESIDE),
  };
}

type TakingOptions = Readonly<{
  pool: Pool;
  connectionString: string;
  backup: Backup;
  whole: boolean;
  /** Once it aborts, what fails is no failure of the backup. */
  signal?: AbortSignal;
}>;

/**
 * Takes one backup, and notes up to which moment each part reaches, or why it failed, for health and `ute doctor`. Null
 * while another process takes one to any place: two never write at once. Throws as `Backup.run`.
 */
export async function takeBackup({
  pool,
  connectionString,
  backup,
  whole,
  signal,
}: TakingOptions): Promise<BackedUp | null> {
  const lock = await tryLock(connectionString, LOCK);
  if (!lock) return null;
  const begun = new Date();
  try {
    const done = await backup.run({ whole });
    await noteTaken(pool, done, begun);
    return done;
  } catch (error) {
    // The database may be what failed: then it is said in the log alone.
    if (!signal?.aborted) await noteFailure(pool, begun, reasonToFail(error)).catch(() => {});
    throw error;
  } finally {
    await lock.release();
  }
}

async function noteTaken(pool: Pool, { manifest: { state }, verified }: BackedUp, begun: Date) {
  await pool.query(
    `with gone as (delete from state.backups where part = 'failed')
     insert into state.backups (part, at)
     select part, at from (values ('log', $1::timestamptz), ('keys', $1), ('files', $1), ('state', $2), ('verified', $3))
       as parts (part, at) where at is not null
     on conflict (part) do update set at = excluded.at`,
    [begun, state.at, verified],
  );
}

/** `at` stays that of the first failure in a row. */
async function noteFailure(pool: Pool, at: Date, reason: string): Promise<void> {
  await pool.query(
    `insert into state.backups (part, at, reason) values ('failed', $1, $2)
     on conflict (part) do update set reason = excluded.reason`,
    [at, reason],
  );
}

/** In words of ours, with the code of the system or the store; of another failure its kind alone, which quotes no one. */
function reasonToFail(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  if (!(error instanceof OutageError)) return (error as Error).name;
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}

/** How long to wait after a backup that took so long, in milliseconds: the next begins no later for it. */
export function restAfter(took: number, every = BACKUP_EVERY): number {
  return Math.max(every - took, Math.min(LEAST_REST, every));
}

type Logger = Readonly<{ info(entry: object): void; warn(entry: object): void }>;

export type BackupsOptions = Readonly<{
  pool: Pool;
  connectionString: string;
  /** Opened when this process comes to lead, closed when it does not any more. */
  open(): Promise<Readonly<{ sources: BackupSources; close(): Promise<void> }>>;
  /** Runs work while this process leads, until `stop` aborts; the signal of the work also aborts when the lead is lost. */
  lead(stop: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  logger: Logger;
  everyMs?: number;
}>;

/**
 * Begins the next backup 45 s after the one before, gently, in whichever process of the database leads. One that fails is said in the log and
 * in `state.backups`, and tried again with the next; the product goes on. `stop` lets go of the one that is under way.
 */
export function startBackups(options: BackupsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = options.lead(stopping.signal, (signal) => takeBackups(options, signal));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function takeBackups(options: BackupsOptions, signal: AbortSignal): Promise<void> {
  const { pool, connectionString, logger, everyMs } = options;
  const { sources, close } = await options.open();
  try {
    const backup = createBackup({ ...sources, target: gentle(sources.target, signal) });
    for (let failures = 0; !signal.aborted; ) {
      const began = performance.now();
      try {
        const done = await takeBackup({ pool, connectionString, backup, whole: false, signal });
        if (done && failures > 0) logger.info({ event: 'backup-works-again', failures });
        if (done) failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        logger.warn({ event: 'backup-failed', reason: reasonToFail(error), failures });
      }
      await pause(restAfter(performance.now() - began, everyMs), signal);
    }
  } finally {
    await close();
  }
}

/** Rests after each object as long as it took to make it, and lets go of a call that is under way when `signal` aborts. */
function gentle(target: BackupTarget, signal: AbortSignal): BackupTarget {
  let since = performance.now();
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await unlessAborted(work, signal);
    } finally {
      since = performance.now();
    }
  };
  return {
    async put(name, bytes) {
      const began = since;
      await ask(() => target.put(name, bytes));
      await pause(Math.min(LONGEST_REST, since - began), signal);
      since = performance.now();
    },
    get: (name) => ask(() => target.get(name)),
    list: (prefix, after) => ask(() => target.list(prefix, after)),
    remove: (name) => ask(() => target.remove(name)),
  };
}

function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  work().then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
