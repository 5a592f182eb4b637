import type { Pool } from 'pg';
import type { Clock, Database, Deps, EventLog, ProcessState } from '#api/deps.ts';
import { EventStoreUnavailableError, type Unreached } from '#core/event-store/errors.ts';
import { sawFullDisk } from '#core/postgres/full-disk.ts';
import { differingSettings } from '#core/postgres/session.ts';
import type { Stall } from '#projections/runtime/read-side/stalls.ts';
import type { ProjectionStatus } from '#projections/runtime/read-side/status.ts';
import { freeBytesOf, SPACE, storesHere } from './free-space.ts';
import type { GaugeDeclaration } from './metrics.ts';

/** How long a part may take to answer, in milliseconds. */
const TIMEOUT = 2_000;

/** How long a database is said to be full after it said so itself, in milliseconds: a worker writes more often. */
const FULL_FOR = 60_000;
/** The codes of a file system without room, as a failed backup notes them. */
const NO_ROOM = /\b(?:ENOSPC|EDQUOT|53100)\b/;

type Check = 'ok' | 'degraded' | 'down';

/** Why one follower of the log is not whole, such as `{ name: 'outbox', reason: 'position-not-in-log' }`. */
export type Reason = Readonly<{ name: string; reason: string }>;

export type Readiness = Readonly<{
  ready: boolean;
  degraded: boolean;
  checks: Readonly<Record<'process' | 'database' | 'eventStore' | 'projections', Check>>;
  reasons: readonly Reason[];
}>;

/**
 * Asks everything the API stands on. A read model that is rebuilding, behind or has parked
 * events degrades, no more, and so does a follower of the log that stands still, or a proof that is stopped; one that is built for the first time has
 * nothing to show yet. A setting of the database that is not what sessions rely on degrades too, and so does a full disk. In production a missing, old or failing backup is among the reasons, and degrades nothing.
 */
export async function checkReadiness(
  deps: Pick<Clock, 'now'> &
    Pick<Deps, 'config'> &
    Pick<Database, 'db'> &
    Pick<EventLog, 'store' | 'readSide'> &
    Readonly<{ proof: Pick<Deps['proof'], 'status'> }> &
    ProcessState,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<Readiness> {
  const isFull =
    storesHere(deps.config) && (await freeBytes(deps.config.dataDir).catch(() => Infinity)) < SPACE.wrong;
  let settings: readonly string[] = [];
  let unreached: Unreached | undefined;
  const stalls = deps.stalls?.() ?? [];
  let reasons: readonly Reason[] = stalls.map(({ name, reason }) => ({ name, reason }));
  const [database, eventStore, projections] = await Promise.all([
    check(async () => {
      settings = await differingSettings(deps.db);
      return settings.length === 0 && !isFull && !sawFullDisk(FULL_FOR) ? 'ok' : 'degraded';
    }),
    check(async () => {
      try {
        await deps.store.head();
      } catch (error) {
        unreached = error instanceof EventStoreUnavailableError ? error.code : undefined;
        throw error;
      }
      return 'ok';
    }),
    check(async () => {
      const [statuses, proof] = await Promise.all([deps.readSide.status(), deps.proof.status()]);
      reasons = [...reasons, ...statuses.flatMap((status) => reasonOf(status, stalls))];
      if (proof.stopped !== null) reasons = [...reasons, { name: 'proof', reason: proof.stopped }];
      if (statuses.some(({ state }) => state === 'building')) return 'down';
      return reasons.length === 0 ? 'ok' : 'degraded';
    }),
  ]);
  const checks = {
    process: deps.stopping?.aborted ? 'down' : 'ok',
    database,
    eventStore,
    projections,
  } as const;
  reasons = [...reasons, ...settings.map((name) => ({ name: 'database', reason: `setting-${name}` }))];
  if (sawFullDisk(FULL_FOR)) reasons = [...reasons, { name: 'database', reason: 'disk-full' }];
  if (isFull) reasons = [...reasons, { name: 'data-folder', reason: 'disk-full' }];
  if (unreached) reasons = [...reasons, { name: 'event-store', reason: unreached }];
  if (database !== 'down' && deps.config.environment === 'production')
    reasons = [...reasons, ...(await backupReasons(deps))];
  const answers = Object.values(checks);
  return { ready: !answers.includes('down'), degraded: answers.includes('degraded'), checks, reasons };
}

async function backupReasons({ db, now }: Pick<Clock, 'now'> & Pick<Database, 'db'>): Promise<Reason[]> {
  const { log, isOld, failed } = await readBackupAges(db, now());
  if (log === null || isOld) return [{ name: 'backup', reason: log === null ? 'none' : 'old' }];
  if (!failed) return [];
  return [{ name: 'backup', reason: NO_ROOM.test(failed.reason) ? 'disk-full' : 'failing' }];
}

function reasonOf({ name, state, parked }: ProjectionStatus, stalls: readonly Stall[]): Reason[] {
  if (parked > 0) return [{ name, reason: 'parked-events' }];
  if (state === 'live' || stalls.some((stall) => stall.name === name)) return [];
  return [{ name, reason: state }];
}

async function check(ask: () => Promise<Check>): Promise<Check> {
  let timer: Timer | undefined;
  const timeout = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve('down'), TIMEOUT);
  });
  try {
    return await Promise.race([ask().catch((): Check => 'down'), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** How old a backup may be, in milliseconds: one is taken each minute. */
const OLD = 3_600_000;
/** What a backup is made of. */
const parts = ['log', 'keys', 'state', 'files'] as const;

/**
 * Up to which moment the parts of the last backup reach, when a restore of one was last tried, and when the keys on paper were
 * last compared; null: never. `failed` says since when none could be written, and why.
 */
export type BackupAges = Readonly<{
  log: Date | null;
  keys: Date | null;
  state: Date | null;
  files: Date | null;
  verified: Date | null;
  paper: Date | null;
  isOld: boolean;
  failed: Readonly<{ since: Date; reason: string }> | null;
}>;

/** As backups and `ute keys confirm` noted it in this database. */
export async function readBackupAges(db: Pool, now: Date): Promise<BackupAges> {
  const { rows } = await db.query<{ part: string; at: Date; reason: string | null }>(
    'select part, at, reason from state.backups',
  );
  const row = (part: string) => rows.find((one) => one.part === part);
  const at = (part: string) => row(part)?.at ?? null;
  const [log, failed] = [at('log'), row('failed')];
  return {
    ...{ log, keys: at('keys'), state: at('state'), files: at('files') },
    ...{ verified: at('verified'), paper: at('keys-on-paper') },
    isOld: log !== null && now.getTime() - log.getTime() > OLD,
    failed: failed ? { since: failed.at, reason: failed.reason ?? '' } : null,
  };
}

/** Ages are infinite before the first, so that one rule alerts to both. */
export function backupGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  const since = (at: Date | null) => (at ? Math.max(0, (now().getTime() - at.getTime()) / 1_000) : Infinity);
  return [
    {
      name: 'ute_backup_age_seconds',
      help: 'Time since the moment that a part of the last backup reaches to; +Inf before the first',
      labelNames: ['part'],
      read: async () => {
        const ages = await readBackupAges(db, now());
        return parts.map((part) => ({ labels: { part }, value: since(ages[part]) }));
      },
    },
    {
      name: 'ute_backup_failing_seconds',
      help: 'Time since which no backup could be written; 0 when the last one was',
      read: async () => {
        const { failed } = await readBackupAges(db, now());
        return [{ value: failed ? since(failed.since) : 0 }];
      },
    },
    {
      name: 'ute_backup_verified_seconds',
      help: 'Time since a restore of a backup was last tried and went well; +Inf before the first',
      read: async () => [{ value: since((await readBackupAges(db, now())).verified) }],
    },
  ];
}
