import type { Pool } from 'pg';
import type { Config } from '#api/config.ts';
import { createLogger } from '#api/http/log.ts';
import { openDatabase } from '#api/process/database.ts';
import { configure } from '#api/process/environment.ts';
import { openEventStore } from '#api/process/event-store.ts';
import { migrate } from '#migrations/run.ts';
import type { RebuildDeps } from '#projections/runtime/side-build.ts';

export type System = RebuildDeps & Readonly<{ config: Config; db: Pool }>;

/** Answers whether all is well: the exit code is 1 unless it is. */
export type Work = (system: System, signal: AbortSignal) => Promise<boolean>;

/**
 * Opens the installation that the environment names, and closes it again. Ctrl-C aborts the signal; the line that it
 * leaves ends with `whenInterrupted`.
 */
export async function withSystem(work: Work, whenInterrupted = () => 'nothing was changed.'): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('Interrupted'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    await using opened = new AsyncDisposableStack();
    const config = configure(process.env);
    const log = createLogger('error');
    const database = await openDatabase(config, log, migrate);
    opened.defer(() => database.close());
    const { log: pool, requests: db, url: connectionString } = database;
    const store = openEventStore(config, database);
    opened.defer(() => store.close());
    const isWell = await work({ store, pool, db, connectionString, log, config }, interrupted.signal);
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    console.error(interrupted.signal.aborted ? `Interrupted; ${whenInterrupted()}` : messageOf(error));
    process.exitCode = 1;
  }
}

/** To stdout, where scripts read it. */
export function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
