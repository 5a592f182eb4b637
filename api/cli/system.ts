import { InvalidArgumentError } from 'commander';
import { completing } from '#api/complete-database.ts';
import { createLogger } from '#api/http/log.ts';
import { followingProcesses, processNames } from '#api/rooms.ts';
import { openDatabase } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { type EventLog, openEventLog } from '#api/runtime/event-log.ts';
import { createServices, type Services } from '#api/services.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { WrongLogError } from '#core/event-store/log-origin.ts';
import { isStreamId } from '#core/kernel/stream-name.ts';
import { readJobReference } from '#core/values/job-form.ts';
import { migrate } from '#migrations/run.ts';
import { findByReference } from '#projections/jobs/list.ts';
import { projections } from '#projections/registry.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import { readReaderPositions } from '#projections/runtime/read-side/status.ts';
import type { RebuildDeps } from '#projections/runtime/rebuild/side-build.ts';
import { printError } from './terminal.ts';

export type System = RebuildDeps &
  Services &
  Readonly<{ eventLog: EventLog; processes: readonly FollowingProcess[] }>;

/** Answers whether all is well: the exit code is 1 unless it is. */
export type Work = (system: System, signal: AbortSignal) => Promise<boolean>;

/**
 * Opens the installation that the environment names, and closes it again. Refuses other keys and another log than it
 * belongs to, unless the work looks at the log itself (`anyLog`). Ctrl-C aborts the signal; the line that it leaves ends
 * with `whenInterrupted`. Work that throws ends with exit code `codeOfFailure`.
 */
export async function withSystem(
  work: Work,
  whenInterrupted = () => 'nothing was changed.',
  { anyLog = false, codeOfFailure = 1 }: Readonly<{ anyLog?: boolean; codeOfFailure?: number }> = {},
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('Interrupted'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    await using opened = new AsyncDisposableStack();
    const config = configure(process.env);
    const log = createLogger('error');
    const database = await openDatabase(config, log, migrate, completing(config));
    opened.defer(() => database.close());
    const { log: pool, requests: db, url: connectionString } = database;
    const readers = () => readReaderPositions(pool, [...projections, ...processNames]);
    const eventLog = await openEventLog(config, database, createLogger('silent'), readers);
    opened.defer(() => eventLog.close());
    const { store } = eventLog;
    if (!anyLog) await compare(eventLog);
    const { stored, subjectKeys } = eventLog;
    const services = createServices({ config, logger: log, db, store, stored, subjectKeys });
    const processes = followingProcesses({ ...services, db: pool });
    const isWell = await work(
      { ...services, pool, connectionString, log, eventLog, processes },
      interrupted.signal,
    );
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    printError(interrupted.signal.aborted ? `Interrupted; ${whenInterrupted()}` : messageOf(error));
    process.exitCode = codeOfFailure;
  }
}

/** While the log is unavailable, a command that does without it goes on: what asks the log later compares it first. */
async function compare({ store }: EventLog): Promise<void> {
  try {
    await store.head();
  } catch (error) {
    const isUnavailable = error instanceof EventStoreUnavailableError && !(error instanceof WrongLogError);
    if (!isUnavailable) throw error;
  }
}

/** The id of a stream, as an argument of a command. */
export function idFrom(raw: string): string {
  if (!isStreamId(raw)) throw new InvalidArgumentError('An id of letters, digits and dashes.');
  return raw;
}

/**
 * The id of the job that an argument names: by its id, or by the reference that its customer was told. Throws an Error where a reference
 * is that of no job, or of several: those are named.
 */
export async function jobIdOf(
  { pool }: Pick<System, 'pool'>,
  named: string,
  businessId?: string,
): Promise<string> {
  const reference = readJobReference(named);
  if (reference === null) return named;
  const [found, ...others] = await findByReference(pool, reference, businessId);
  if (found === undefined) throw new Error(`There is no job with the reference ${reference}.`);
  if (others.length > 0)
    throw new Error(
      `Several jobs have the reference ${reference}. Name one by its id: ${[found, ...others].join(', ')}`,
    );
  return found;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
