import type { Pool } from 'pg';
import { comparePositions, type EventStore, START } from '#core/event-store/port.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { projections as allProjections } from './registry.ts';
import { keyOf, liveBuild } from './runtime/build.ts';
import { type Log, reasonOf, silentLog } from './runtime/failure.ts';
import type { AroundBatch } from './runtime/follow/batch.ts';
import {
  type FollowingProcess,
  openCheckpoint,
  openProcess,
  readCheckpoint,
} from './runtime/follow/checkpoint.ts';
import { createPositionWriter, follow, type PositionWriter } from './runtime/follow/subscription.ts';
import { leadWhenPossible } from './runtime/leader.ts';
import { createMissingTables } from './runtime/live-tables.ts';
import type { ProgressChannel } from './runtime/notify.ts';
import type { CheckpointTables, Projection } from './runtime/projection.ts';
import { countReaders } from './runtime/read-side/status.ts';
import { fastPace, gentlePace } from './runtime/rebuild/pace.ts';
import { type RebuildDeps, rebuildTogether } from './runtime/rebuild/rebuild.ts';

/** A log up to this position is folded straight into the live tables, in one batch. */
const shortLog = '1000';
/** How often a follower that is ahead of the log is looked at again, in milliseconds, and logged again, in looks. */
const aheadRetry = 1_000;
const looksPerReminder = 300;

export type ProjectionsOptions = Readonly<{
  store: EventStore;
  /** Needs a connection per projection, and six more while some are rebuilt. */
  pool: Pool;
  /** For the connection that holds the lead. */
  connectionString: string;
  logger?: Log;
  projections?: readonly Projection[];
  /** What acts on the log besides, and is never built; absent, nothing does. */
  processes?: readonly FollowingProcess[];
  aroundBatch?: AroundBatch | undefined;
  /** Hears of each move. Absent: this process learns of it as another one does, from the database. */
  progress?: ProgressChannel;
  /** How often a process that does not lead asks for the lead, in milliseconds. */
  retryLeadMs?: number;
}>;

/**
 * Keeps the read models up with the log, in whichever process of the database leads. A version whose tables have never
 * been filled is built first, beside its tables. One that is ahead of the log waits: what a log that was restored has lost
 * is for the operator to accept. Tables of other versions are left to the processes that know them. `stop` lets each
 * projection finish its batch.
 */
export function startProjections(options: ProjectionsOptions): { stop(): Promise<void> } {
  const {
    store,
    pool,
    connectionString,
    logger = silentLog,
    aroundBatch,
    progress,
    projections = allProjections,
    processes = [],
  } = options;
  const deps: RebuildDeps = {
    store,
    pool,
    connectionString,
    log: logger,
    aroundBatch,
    progress,
    haveParked: new Set(),
  };
  const stopping = new AbortController();
  const followers = [...projections, ...processes];
  const lead = { keys: followers.map(keyOf), connectionString, log: logger, retryMs: options.retryLeadMs };
  const running = leadWhenPossible({ ...lead, signal: stopping.signal }, (keys, signal) =>
    run(
      deps,
      followers.filter((follower) => keys.includes(keyOf(follower))),
      processes.filter((process) => keys.includes(keyOf(process))),
      signal,
    ),
  );
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Follows the log with what can be continued, builds the rest, and follows with that. */
async function run(
  deps: RebuildDeps,
  led: readonly Projection[],
  processes: readonly FollowingProcess[],
  signal: AbortSignal,
): Promise<void> {
  const writers = new Map<CheckpointTables, PositionWriter>();
  const positionsOf = (follower: Projection) => {
    const { checkpoints } = liveBuild(follower);
    const writer = writers.get(checkpoints) ?? createPositionWriter(deps.pool, checkpoints);
    writers.set(checkpoints, writer);
    return writer;
  };
  const isProcess = (follower: Projection) => processes.some((process) => process === follower);
  const following: Promise<void>[] = [];
  let waiting = led;
  for (let failures = 0, looks = 0; waiting.length > 0 && !signal.aborted; looks++) {
    try {
      await createMissingTables(deps.pool, waiting);
      for (const process of processes) await openProcess(deps, process);
      const [needy, ahead]: [Projection[], Projection[]] = [[], []];
      for (const follower of waiting) {
        if (await isAhead(deps, follower)) ahead.push(follower);
        else if (!isProcess(follower) && (await mustBuild(deps, follower))) needy.push(follower);
      }
      const later = [...needy, ...ahead];
      const ready = waiting.filter((projection) => !later.includes(projection));
      following.push(
        ...ready.map((projection) =>
          follow({ ...deps, positions: positionsOf(projection) }, projection, signal),
        ),
      );
      waiting = later;
      if (needy.length > 0) await build(deps, failures === 0 ? needy : nextOf(needy, failures), signal);
      else if (ahead.length > 0) {
        if (looks % looksPerReminder === 0)
          deps.log.error({ event: 'followers-ahead-of-log', followers: ahead.map(keyOf) });
        await pause(aheadRetry, signal);
      }
    } catch (error) {
      failures++;
      const names = waiting.map(keyOf);
      deps.log.warn({ event: 'projections-cannot-start', projections: names, reason: reasonOf(error) });
      await pause(backOff(failures), signal);
    }
  }
  await Promise.all(following);
  await Promise.all([...writers.values()].map((writer) => writer.stop()));
}

/** After a failure each gets its own turn, so that one that cannot be built does not hold up the others. */
function nextOf(needy: readonly Projection[], failures: number): Projection[] {
  return needy.slice(failures % needy.length).slice(0, 1);
}

/** The checkpoint is read first: the log only grows. */
async function isAhead({ pool, store }: RebuildDeps, follower: Projection): Promise<boolean> {
  const { key, checkpoints } = liveBuild(follower);
  const { position = START } = (await readCheckpoint(pool, key, checkpoints)) ?? {};
  return comparePositions(position, await store.head()) > 0;
}

async function mustBuild({ pool, store }: RebuildDeps, projection: Projection): Promise<boolean> {
  const key = keyOf(projection);
  const checkpoint = await readCheckpoint(pool, key);
  const head = await store.head();
  if (checkpoint !== null) return false;
  if (head === START) await openCheckpoint(pool, key, projection.version);
  return comparePositions(head, shortLog) > 0;
}

async function build(deps: RebuildDeps, needy: readonly Projection[], signal: AbortSignal): Promise<void> {
  const names = needy.map(keyOf);
  deps.log.warn({ event: 'projections-need-rebuild', projections: names });
  // One reader is this process itself, which has nothing to show before the tables are built.
  const pace = (await countReaders(deps.pool)) > 1 ? gentlePace() : fastPace();
  await rebuildTogether(deps, needy, { signal, pace });
  deps.log.info({ event: 'projections-rebuilt', projections: names });
}
