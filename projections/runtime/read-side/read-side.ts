import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { listen } from '#core/postgres/listen.ts';
import { lockClass } from '#core/postgres/locks.ts';
import { projections as allProjections } from '#projections/registry.ts';
import { keyOf, readerLock } from '#projections/runtime/build.ts';
import { type ProgressChannel, readModelChannel, readPayload } from '#projections/runtime/notify.ts';
import type { Change, Projection } from '#projections/runtime/projection.ts';
import {
  type LogEnd,
  type ProjectionStatus,
  passedInMemory,
  readStatuses,
  readStoredStatuses,
  type StoredStatus,
} from './status.ts';

/** What a process knows of the read models: how far they are, and what just changed. Works across processes. */
export type ReadSide = Readonly<{
  /**
   * Resolves when every named projection has passed `position`, with `'behind'` after `timeoutMs`
   * or at once while one of them is rebuilding.
   */
  waitFor(
    projections: readonly string[],
    position: Position,
    timeoutMs?: number,
  ): Promise<'caught-up' | 'behind'>;
  /** Calls back for each change of a read model, in this process or another; answers the way to stop. */
  onChange(listener: (change: Change & { position: Position }) => void): () => void;
  /**
   * Calls back when changes may have been missed: at each (re)connection to the database and after a rebuild.
   * What is cached from the read models is then to be dropped. Answers the way to stop.
   */
  onGap(listener: () => void): () => void;
  /** How far each projection is, for readiness and `ute projections status`. */
  status(): Promise<ProjectionStatus[]>;
  close(): Promise<void>;
}>;

/** How often a waiter asks the database, should no notification come, in milliseconds. */
const pollEvery = 25;
/**
 * For so long, in milliseconds, an answer that nothing is rebuilding spares later waiters their first question: most are
 * told sooner than it would be answered, and it walks over all locks of the database.
 */
const calmFor = 1_000;
/** The log is read with the second of so many questions. */
const pollsPerLogRead = 10;
const defaultTimeout = 500;

/**
 * What this process knows of the read models: by the progress of its worker, by notifications, and by asking
 * the database. `store` has the log that they follow: what concerns none of them is passed without a notification.
 */
export function createReadSide({
  pool,
  connectionString,
  store,
  progress,
  projections = allProjections,
}: {
  pool: Pool;
  connectionString: string;
  store: LogEnd;
  /** Of the worker of this process. Absent: there is none. */
  progress?: ProgressChannel;
  projections?: readonly Projection[];
}): ReadSide {
  const keys = projections.map(keyOf);
  const positions = createPositions();
  const changeListeners = new Set<(change: Change & { position: Position }) => void>();
  const gapListeners = new Set<() => void>();
  const tellGap = () => {
    for (const listener of gapListeners) listener();
  };

  let asking: Promise<StoredStatus[]> | undefined;
  let calmSince = Number.NEGATIVE_INFINITY;
  /** Waiters that ask at the same time share one query. */
  const ask = () => {
    asking ??= readStoredStatuses(pool, projections).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  /** The log may have been restored meanwhile, and positions have gone back. */
  async function afterGap(): Promise<void> {
    const before = new Map(keys.map((key) => [key, positions.of(key)]));
    tellGap();
    for (const { key, position } of await ask().catch(() => [])) {
      if (before.get(key) === positions.of(key)) positions.set(key, position);
    }
  }

  const stopProgress = progress?.listen(({ projection, position }) =>
    positions.advance(projection, position),
  );
  const stopListening = listen({
    connectionString,
    channel: readModelChannel,
    // What drops tables of old versions can tell by it that they are still read.
    prepare: (client) =>
      client.query('select pg_advisory_lock_shared($1, hashtext(name)) from unnest($2::text[]) as name', [
        lockClass,
        keys.map(readerLock),
      ]),
    onListening: () => void afterGap(),
    onPayload(payload) {
      const notification = readPayload(payload);
      if (notification === null || !keys.includes(notification.projection)) return;
      const { projection, position, changes, replaced } = notification;
      if (replaced) {
        positions.set(projection, position);
        tellGap();
      } else positions.advance(projection, position);
      for (const change of changes) {
        for (const listener of changeListeners) listener({ ...change, position });
      }
    },
  });

  /** What the database knows now of the awaited ones; with `unseen`, the log is asked as well what concerns them. */
  async function inquire(awaited: readonly Projection[], to: Position, unseen: boolean): Promise<boolean> {
    const statuses = await ask().catch(() => []);
    for (const { key, position } of statuses) positions.advance(key, position);
    const isCalm = statuses.length > 0 && statuses.every(({ rebuilding }) => !rebuilding);
    calmSince = isCalm ? performance.now() : Number.NEGATIVE_INFINITY;
    if (unseen && !positions.hasPassed(awaited.map(keyOf), to)) {
      for (const key of await passedInMemory(store, awaited, statuses, to)) positions.advance(key, to);
    }
    return statuses.some(({ key, rebuilding }) => {
      return rebuilding && awaited.some((projection) => keyOf(projection) === key);
    });
  }

  return {
    waitFor(names, position, timeoutMs = defaultTimeout) {
      const awaited = projections.filter(({ name }) => names.includes(name));
      const awaitedKeys = awaited.map(keyOf);
      if (positions.hasPassed(awaitedKeys, position)) return Promise.resolve('caught-up');
      return new Promise((resolve) => {
        const settle = (answer: 'caught-up' | 'behind') => {
          stopWatching();
          clearInterval(poll);
          clearTimeout(deadline);
          resolve(answer);
        };
        const check = () => {
          if (positions.hasPassed(awaitedKeys, position)) settle('caught-up');
        };
        let polls = 0;
        const look = async () => {
          // The log is asked once in a while: a follower that is late for another reason is waited for.
          const isRebuilding = await inquire(awaited, position, polls++ % pollsPerLogRead === 1);
          if (isRebuilding && !positions.hasPassed(awaitedKeys, position)) settle('behind');
        };
        const stopWatching = positions.onMove(check);
        const poll = setInterval(look, pollEvery);
        const deadline = setTimeout(settle, timeoutMs, 'behind');
        if (performance.now() - calmSince > calmFor) void look();
        else polls = 1;
      });
    },
    onChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    status: () => readStatuses(pool, store, projections, positions.of),
    async close() {
      stopProgress?.();
      await stopListening();
    },
  };
}

/** How far each projection is known to be in this process. */
type Positions = Readonly<{
  /** Notes progress. Never goes back. */
  advance(projection: string, position: Position): void;
  /** Notes a position also where it went back: the log was restored and the tables rebuilt. */
  set(projection: string, position: Position): void;
  of(projection: string): Position;
  hasPassed(projections: readonly string[], position: Position): boolean;
  /** Calls back after each change; answers the way to stop. */
  onMove(listener: () => void): () => void;
}>;

function createPositions(): Positions {
  const known = new Map<string, Position>();
  const listeners = new Set<() => void>();
  const set = (projection: string, position: Position) => {
    known.set(projection, position);
    for (const listener of listeners) listener();
  };
  const of = (projection: string) => known.get(projection) ?? START;
  return {
    set,
    of,
    advance(projection, position) {
      if (comparePositions(position, of(projection)) > 0) set(projection, position);
    },
    hasPassed: (projections, position) =>
      projections.every((projection) => comparePositions(of(projection), position) >= 0),
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
