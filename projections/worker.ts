import type { Pool } from 'pg';
import { comparePositions, type EventStore, START } from '#core/event-store/port.ts';
import { keyOf } from './runtime/build.ts';
import { openCheckpoint, readCheckpoint } from './runtime/checkpoint.ts';
import { reasonOf } from './runtime/failure.ts';
import { leadWhenPossible } from './runtime/leader.ts';
import { type Log, silentLog } from './runtime/log.ts';
import { fastPace, gentlePace } from './runtime/pace.ts';
import { backOff, pause } from './runtime/pause.ts';
import type { Projection } from './runtime/projection.ts';
import { type RebuildDeps, rebuild } from './runtime/rebuild.ts';
import { projections as allProjections } from './runtime/registry.ts';
import { countReaders } from './runtime/serving.ts';
import { follow } from './runtime/subscription.ts';

/** A log up to this position is folded straight into the live tables, in one batch. */
const shortLog = '1000';

export type ProjectionsOptions = Readonly<{
  store: EventStore;
  /** Needs a connection per projection, and two more while one is rebuilt. */
  pool: Pool;
  /** For the connection that holds the lead. */
  connectionString: string;
  logger?: Log;
  projections?: readonly Projection[];
  /** How often a process that does not lead asks for the lead, in milliseconds. */
  retryLeadMs?: number;
}>;

/**
 * Keeps the read models up with the log, in whichever process of the database leads. A version whose tables have never
 * been filled, or one that is ahead of a log that was restored, is built first, beside its tables. Tables of other
 * versions are left to the processes that know them. `stop` lets each projection finish its batch.
 */
export function startProjections(options: ProjectionsOptions): { stop(): Promise<void> } {
  const { store, pool, connectionString, logger = silentLog, projections = allProjections } = options;
  const deps: RebuildDeps = { store, pool, connectionString, log: logger };
  const byKey = new Map(projections.map((projection) => [keyOf(projection), projection]));
  const stopping = new AbortController();
  const lead = { keys: [...byKey.keys()], connectionString, log: logger, retryMs: options.retryLeadMs };
  const running = leadWhenPossible({ ...lead, signal: stopping.signal }, async (key, signal) => {
    const projection = byKey.get(key);
    if (projection) await run(deps, projection, signal);
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run(deps: RebuildDeps, projection: Projection, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await build(deps, projection, signal);
      break;
    } catch (error) {
      failures++;
      deps.log.warn({
        event: 'projection-cannot-start',
        projection: keyOf(projection),
        reason: reasonOf(error),
      });
      await pause(backOff(failures), signal);
    }
  }
  await follow(deps, projection, signal);
}

async function build(deps: RebuildDeps, projection: Projection, signal: AbortSignal): Promise<void> {
  const { pool, store, log } = deps;
  const key = keyOf(projection);
  const checkpoint = await readCheckpoint(pool, key);
  const head = await store.head();
  if (checkpoint === null && head === START) await openCheckpoint(pool, key, projection.version);
  const from = checkpoint?.position ?? START;
  const isAhead = comparePositions(from, head) > 0;
  if (!isAhead && (checkpoint !== null || comparePositions(head, shortLog) <= 0)) return;
  log.warn({ event: 'projection-needs-rebuild', projection: key });
  // One reader is this process itself, which has nothing to show before the tables are built.
  const pace = (await countReaders(pool)) > 1 ? gentlePace() : fastPace();
  await rebuild(deps, projection, { signal, pace });
  log.info({ event: 'projection-rebuilt', projection: key });
}
