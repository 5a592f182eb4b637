import type { Clock, Database, Deps, EventLog, ProcessState } from '#api/deps.ts';
import { readProofStatus } from '#projections/proof/read.ts';
import type { Stall } from '#projections/runtime/read-side/stalls.ts';
import type { ProjectionStatus } from '#projections/runtime/read-side/status.ts';
import { readBackupAges } from './backup-age.ts';

/** How long a part may take to answer, in milliseconds. */
const TIMEOUT = 2_000;

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
 * nothing to show yet. In production a missing, old or failing backup is among the reasons, and degrades nothing.
 */
export async function checkReadiness(
  deps: Pick<Clock, 'now'> &
    Pick<Deps, 'config'> &
    Pick<Database, 'db'> &
    Pick<EventLog, 'store' | 'readSide'> &
    ProcessState,
): Promise<Readiness> {
  const stalls = deps.stalls?.() ?? [];
  let reasons: readonly Reason[] = stalls.map(({ name, reason }) => ({ name, reason }));
  const [database, eventStore, projections] = await Promise.all([
    check(async () => {
      await deps.db.query('select 1');
      return 'ok';
    }),
    check(async () => {
      await deps.store.head();
      return 'ok';
    }),
    check(async () => {
      const [statuses, proof] = await Promise.all([deps.readSide.status(), readProofStatus(deps.db)]);
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
  if (database === 'ok' && deps.config.environment === 'production')
    reasons = [...reasons, ...(await backupReasons(deps))];
  const answers = Object.values(checks);
  return { ready: !answers.includes('down'), degraded: answers.includes('degraded'), checks, reasons };
}

async function backupReasons({ db, now }: Pick<Clock, 'now'> & Pick<Database, 'db'>): Promise<Reason[]> {
  const { log, isOld, failed } = await readBackupAges(db, now());
  if (log === null || isOld) return [{ name: 'backup', reason: log === null ? 'none' : 'old' }];
  return failed ? [{ name: 'backup', reason: 'failing' }] : [];
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
