import type { Command } from 'commander';
import type { Pool } from 'pg';
import { reservationKey } from '#api/accounts/reservations.ts';
import { createLogger } from '#api/http/log.ts';
import { checks, followingProcesses, processNames } from '#api/rooms.ts';
import { type Config, ConfigError } from '#api/runtime/config/config.ts';
import { connectDatabase } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { type EventLog, openEventLog } from '#api/runtime/event-log.ts';
import { checkKeys } from '#api/runtime/key-fingerprints.ts';
import { projections } from '#projections/registry.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import { readReaderPositions } from '#projections/runtime/read-side/status.ts';
import { print } from '../terminal.ts';
import { databaseChecks } from './database-checks.ts';
import { type Check, type Finding, findingLines, type Outcome, reasonOf, runChecks } from './finding.ts';
import { logChecks } from './log-checks.ts';
import { outsideChecks } from './outside-checks.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'What is wrong with this installation and what to do, a line each. Changes and sends nothing. Exit code 1 when something is wrong.',
    )
    .option('--json', 'one line of JSON: { findings: [{ check, state, line }] }')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await examine(process.env);
      print(json ? [JSON.stringify({ findings })] : findingLines(findings));
      process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0;
    });
}

/** Looks at the installation that the environment names, and opens what it needs for that. */
async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  try {
    const config = configure(env);
    return [
      { check: 'environment', state: 'ok', line: 'every variable can be read' },
      ...(await examineOpened(config)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .map((line) => ({ check: 'environment', state: 'wrong', line: line.replace(/^Configuration: /, '') }));
  }
}

async function examineOpened(config: Config): Promise<Finding[]> {
  await using opened = new AsyncDisposableStack();
  const logger = createLogger('silent');
  const outside = runChecks(outsideChecks(config));
  const database = await connectDatabase(config, logger, async () => {});
  opened.defer(() => database.close());
  const { log: db } = database;
  const unreachable = await reach(db);
  if (unreachable) return [unreachable, ...(await outside)];
  const readers = () => readReaderPositions(db, [...projections, ...processNames]);
  const log = await openEventLog(config, database, logger, readers);
  opened.defer(() => log.close());
  const { store } = log;
  const processes = followingProcesses({ config, db, store, now: () => new Date(), logger });
  return [...(await examineInside({ config, db, log, processes })), ...(await outside)];
}

/** What a process has opened already. */
export type Opened = Readonly<{
  config: Config;
  db: Pool;
  log: EventLog;
  processes: readonly FollowingProcess[];
}>;

/** All that there is to find in and around an installation that runs. Changes and sends nothing. */
export async function examineRunning(opened: Opened): Promise<Finding[]> {
  const both = await Promise.all([examineInside(opened), runChecks(outsideChecks(opened.config))]);
  return both.flat();
}

function examineInside({ config, db, log, processes }: Opened): Promise<Finding[]> {
  const keys: Check = { name: 'keys', look: () => keysOf(db, config) };
  const now = () => new Date();
  return runChecks([
    keys,
    ...databaseChecks({ db, config, now }),
    ...logChecks({ db, config, log, processes }),
    ...checks.map(({ name, look }): Check => ({ name, look: () => look({ db, config, now }) })),
  ]);
}

/** One finding instead of one from every check that needs the database. */
async function reach(db: Pool): Promise<Finding | null> {
  try {
    await db.query('select 1');
    return null;
  } catch (error) {
    const line = `cannot be used (${reasonOf(error)}): see host, login and password of DATABASE_URL; nothing that needs it was checked`;
    return { check: 'database', state: 'wrong', line };
  }
}

/** The keys are those that the database was filled with. A database without fingerprints gets none here. */
async function keysOf(db: Pool, config: Config): Promise<Outcome> {
  const { rows } = await db.query<{ noted: boolean }>(
    'select exists (select from state.key_fingerprints) as noted',
  );
  if (!rows[0]?.noted) return ['warning', 'no fingerprint is noted yet: the next start of Ute notes them'];
  try {
    await checkKeys(db, config, (slug) => reservationKey(config, 'slug', slug));
    return ['ok', 'DATA_KEY and CLAIM_KEY are those that the database was filled with'];
  } catch (error) {
    if (error instanceof ConfigError) return ['wrong', error.message.replace(/^Configuration: /, '')];
    throw error;
  }
}
