import type { Pool } from 'pg';
import { comparePositions, type EventStore } from '#core/event-store/port.ts';
import { openCheckpoint } from './runtime/checkpoint.ts';
import { reasonOf } from './runtime/failure.ts';
import { leadWhenPossible } from './runtime/leader.ts';
import { type Log, silentLog } from './runtime/log.ts';
import { backOff, pause } from './runtime/pause.ts';
import type { Projection } from './runtime/projection.ts';
import { type RebuildDeps, rebuild } from './runtime/rebuild.ts';
import { projections as allProjections } from './runtime/registry.ts';
import { follow } from './runtime/subscription.ts';

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
 * Keeps the read models up with the log, in whichever process of the database leads. A projection that cannot be
 * continued (its tables have another version, or it is ahead of a log that was restored) is rebuilt first, beside
 * its tables. `stop` lets each projection finish its batch.
 */
export function startProjections(options: ProjectionsOptions): { stop(): Promise<void> } {
  const { store, pool, connectionString, logger = silentLog, projections = allProjections } = options;
  const deps: RebuildDeps = { store, pool, connectionString, log: logger };
  const stopping = new AbortController();
  const running = leadWhenPossible(
    { connectionString, log: logger, signal: stopping.signal, retryMs: options.retryLeadMs },
    async (signal) => {
      await Promise.all(projections.map((projection) => run(deps, projection, signal)));
    },
  );
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
      if (await cannotContinue(deps, projection)) {
        deps.log.warn({ event: 'projection-needs-rebuild', projection: projection.name });
        await rebuild(deps, projection, { signal });
      }
      break;
    } catch (error) {
      failures++;
      deps.log.warn({
        event: 'projection-cannot-start',
        projection: projection.name,
        reason: reasonOf(error),
      });
      await pause(backOff(failures), signal);
    }
  }
  await follow(deps, projection, signal);
}

async function cannotContinue({ store, pool }: RebuildDeps, { name, version }: Projection): Promise<boolean> {
  const checkpoint = await openCheckpoint(pool, name, version);
  return checkpoint.version !== version || comparePositions(checkpoint.position, await store.head()) > 0;
}
