import { mendAfterPitr, type Returned, type ReturnedDatabase } from '#api/backup/after-pitr.ts';
import { BackupError, objectReader } from '#api/backup/objects.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { depsOf } from '#api/privacy/commands/forget.ts';
import { parseLedger } from '#api/privacy/ledger.ts';
import { applyLedger, stillThere } from '#api/privacy/remains.ts';
import { checkpointsOutside, signedCheckpoints } from '#api/proof/restored-log.ts';
import { openTarget } from '#api/providers/backup-target.ts';
import { logKeysOf } from '#api/runtime/config/proof.ts';
import { openRawLog } from '#api/runtime/event-log.ts';
import { openLockSession } from '#core/postgres/locks.ts';
import { projections } from '#projections/registry.ts';
import { keyOf, leadLock } from '#projections/runtime/build.ts';
import { acceptRestored } from '#projections/runtime/rebuild/rebuild.ts';
import {
  chooseManifest,
  longerLedger,
  type Options,
  placeLedger,
  readIdentity,
  readLedger,
} from './chosen-backup.ts';

/**
 * `ute restore --after-pitr`: makes a Postgres whole that its operator took back to an earlier moment. With `dryRun` it prints the
 * same lines and changes nothing. Exit code 1 where people or accounts lack what the log speaks of, and where it is refused.
 */
export function afterPitr(options: Partial<Options>): Promise<void> {
  return withSystem(
    async (system, signal) => {
      const leads = [...system.processes.map((process) => leadLock(keyOf(process))), leadLock('proof')];
      const session = await openLockSession(system.connectionString, 'restore');
      try {
        if ((await session.take(leads)).length < leads.length)
          throw new BackupError('A worker runs on this database: stop all processes of the product first.');
        return await mend(system, options, signal);
      } finally {
        await session.close();
      }
    },
    () => 'the same command again goes on.',
    { anyLog: true },
  );
}

async function mend(system: System, options: Partial<Options>, signal: AbortSignal): Promise<boolean> {
  const { config, pool, connectionString, eventLog } = system;
  const { dryRun: isDry = false } = options;
  const raw = await openRawLog(config, { log: pool, url: connectionString });
  try {
    await eventLog.origin.verify({ restoredToo: true });
    const ahead = await eventLog.origin.lost();
    const backup = await readBackup(system, options);
    const ledger = longerLedger(config.erasuresTo, backup?.ledger ?? '');
    if (ledger === '' && !options.withoutLedger)
      throw new BackupError(
        `${config.erasuresTo} is missing: without it erased people come back. --without-ledger goes on all the same.`,
      );
    if (!isDry) placeLedger(config.erasuresTo, ledger);
    if (ahead.length > 0 && !isDry)
      await acceptRestored({ ...system, store: eventLog.unverified }, eventLog.origin, {
        ...{ projections, processes: system.processes },
      });
    const database: ReturnedDatabase = {
      ...{ pool, log: raw, now: new Date(), signal, logKeys: logKeysOf(config.proof) },
      published: signedCheckpoints(await checkpointsOutside(config), logKeysOf(config.proof)),
      keys: backup && { objects: backup.objects, lines: backup.lines },
      countReturned: async (db) => (await stillThere({ everyRow: db }, parseLedger(ledger).lines)).length,
    };
    const found = await mendAfterPitr(database, isDry);
    const erased = isDry ? found.returned : await applyLedger(depsOf(system));
    print(linesOf({ ...found, erased, ahead: ahead.map(({ name }) => name) }, isDry, Boolean(config.proof)));
    return found.keyless + found.unfinished === 0;
  } finally {
    await raw.close();
  }
}

/** What a backup has of keys and ledger, which are always the newest; null without one. */
async function readBackup(system: System, options: Partial<Options>) {
  const { from, identity } = options;
  if (!from && !identity) return null;
  if (!from || !identity) throw new BackupError('--from and --identity go together.');
  const target = openTarget(from, system.config.backup);
  const reader = objectReader(target, readIdentity(identity));
  const { newest } = await chooseManifest(
    target,
    options.key ? { key: options.key } : {},
    logKeysOf(system.config.proof),
  );
  const objects = [...newest.keys.full, ...newest.keys.changes];
  return { objects, lines: reader.lines, ledger: await readLedger(target, options) };
}

type Found = Returned & Readonly<{ erased: number; ahead: readonly string[] }>;

function linesOf(found: Found, isDry: boolean, isCompared: boolean): string[] {
  const { lost, keyless, waiting, sessions, links, unfinished, erased, ahead } = found;
  const some = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`;
  const done = (now: string, later: string) => (isDry ? later : now);
  const MISSING = [
    ...(keyless > 0
      ? [
          `MISSING: the keys of ${some(keyless, 'person', 'people')} of whom the log speaks: --from a backup brings them`,
        ]
      : []),
    ...(unfinished > 0
      ? [
          `MISSING: the password or a reservation of ${some(unfinished, 'account', 'accounts')}: the log is newer than the database`,
        ]
      : []),
  ];
  return [
    ...(isDry ? ['nothing is changed; without --dry-run:'] : []),
    isCompared
      ? lost > 0
        ? `LOST: ${some(lost, 'event', 'events')} that a checkpoint had; a new epoch of the log ${done('began', 'begins')}`
        : 'the log has all that checkpoints state'
      : 'the log is NOT compared with checkpoints: LOG_KEY is missing',
    ...ahead.map((name) => `${name}: ${done('was built anew', 'is built anew')}, as it had read more`),
    `erased again by the ledger: ${some(erased, 'person', 'people')}`,
    `${some(waiting, 'message', 'messages')} that waited: not sent, see ute outbox list`,
    `${some(sessions, 'session', 'sessions')} and ${some(links, 'link or code', 'links and codes')} ${done('ended', 'end')}: everybody signs in again`,
    ...MISSING,
    ...(isDry ? [] : ['Passwords are those of that moment. Start the product: the worker first.']),
  ];
}
