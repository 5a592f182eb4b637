import type { Deps } from '../deps.ts';

/** How long a part may take to answer, in milliseconds. */
const PATIENCE = 2_000;

type Check = 'ok' | 'degraded' | 'down';

export type Readiness = Readonly<{
  ready: boolean;
  degraded: boolean;
  checks: Readonly<Record<'process' | 'database' | 'eventStore' | 'projections', Check>>;
}>;

/**
 * Asks everything the API stands on. A read model that is rebuilding, behind or has parked
 * events degrades, no more; one that is built for the first time has nothing to show yet.
 */
export async function checkReadiness(deps: Deps): Promise<Readiness> {
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
      const statuses = await deps.readSide.status();
      if (statuses.some(({ state }) => state === 'building')) return 'down';
      return statuses.every(({ state, parked }) => state === 'live' && parked === 0) ? 'ok' : 'degraded';
    }),
  ]);
  const checks = {
    process: deps.stopping?.aborted ? 'down' : 'ok',
    database,
    eventStore,
    projections,
  } as const;
  const answers = Object.values(checks);
  return { ready: !answers.includes('down'), degraded: answers.includes('degraded'), checks };
}

async function check(ask: () => Promise<Check>): Promise<Check> {
  let timer: Timer | undefined;
  const patience = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve('down'), PATIENCE);
  });
  try {
    return await Promise.race([ask().catch((): Check => 'down'), patience]);
  } finally {
    clearTimeout(timer);
  }
}
