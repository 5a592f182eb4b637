import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { lockClass, readerLock } from '#projections/runtime/locks.ts';
import { onPoke, readModelChannel, readPayload } from '#projections/runtime/notify.ts';
import type { Change, Projection } from '#projections/runtime/projection.ts';
import { projections as allProjections } from '#projections/runtime/registry.ts';
import { listen } from './listener.ts';
import { type ProjectionStatus, readStoredStatuses, type StoredStatus, toStatuses } from './status.ts';

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

/** How far each projection is known to be in this process, and who waits for more. */
export type Positions = Readonly<{
  /** Notes progress. Never goes back. */
  advance(projection: string, position: Position): void;
  /** Takes the database's word, also where it went back: the log was restored and the tables rebuilt. */
  set(projection: string, position: Position): void;
  hasPassed(projections: readonly string[], position: Position): boolean;
  /** Calls back after each change; answers the way to stop. */
  onMove(listener: () => void): () => void;
}>;

export function createPositions(): Positions {
  const known = new Map<string, Position>();
  const listeners = new Set<() => void>();
  const set = (projection: string, position: Position) => {
    known.set(projection, position);
    for (const listener of listeners) listener();
  };
  const of = (projection: string) => known.get(projection) ?? START;
  return {
    set,
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

/** How often a waiter asks the database, should no notification come, in milliseconds. */
const pollEvery = 25;
/**
 * For so long, in milliseconds, an answer that nothing is rebuilding spares later waiters their first question: most are
 * told sooner than it would be answered, and it walks over all locks of the database.
 */
const calmFor = 1_000;
const defaultTimeout = 500;

/**
 * What this process knows of the read models, by pokes of a worker on the same pool, notifications, and asking.
 * `head` is the log's; without it, `status` measures against the projection that is furthest.
 */
export function createReadSide({
  pool,
  connectionString,
  head,
  projections = allProjections,
}: {
  pool: Pool;
  connectionString: string;
  head?: () => Promise<Position>;
  projections?: readonly Projection[];
}): ReadSide {
  const keys = projections.map(keyOf);
  const keysOf = (names: readonly string[]) =>
    projections.filter(({ name }) => names.includes(name)).map(keyOf);
  const positions = createPositions();
  const changeListeners = new Set<(change: Change & { position: Position }) => void>();
  const gapListeners = new Set<() => void>();
  const tellGap = () => {
    for (const listener of gapListeners) listener();
  };

  const stopPokes = onPoke(pool, positions.advance);
  const stopListening = listen({
    connectionString,
    channel: readModelChannel,
    // Whoever drops tables of old versions can tell by it that they are still read.
    prepare: (client) =>
      client.query('select pg_advisory_lock_shared($1, hashtext(name)) from unnest($2::text[]) as name', [
        lockClass,
        keys.map(readerLock),
      ]),
    onListening: tellGap,
    onPayload(payload) {
      const told = readPayload(payload);
      if (told === null || !keys.includes(told.projection)) return;
      const { projection, position, changes, replaced } = told;
      if (replaced) {
        positions.set(projection, position);
        tellGap();
      } else positions.advance(projection, position);
      for (const change of changes) {
        for (const listener of changeListeners) listener({ ...change, position });
      }
    },
  });

  let asking: Promise<StoredStatus[]> | undefined;
  let calmSince = Number.NEGATIVE_INFINITY;
  /** Waiters that ask at the same time share one query. */
  const ask = () => {
    asking ??= readStoredStatuses(pool, keys).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    waitFor(names, position, timeoutMs = defaultTimeout) {
      const awaited = keysOf(names);
      if (positions.hasPassed(awaited, position)) return Promise.resolve('caught-up');
      return new Promise((resolve) => {
        const settle = (answer: 'caught-up' | 'behind') => {
          stopWatching();
          clearInterval(poll);
          clearTimeout(deadline);
          resolve(answer);
        };
        const check = () => {
          if (positions.hasPassed(awaited, position)) settle('caught-up');
        };
        const inquire = async () => {
          const statuses = await ask().catch(() => []);
          for (const stored of statuses) positions.set(stored.key, stored.position);
          const isCalm = statuses.length > 0 && statuses.every(({ rebuilding }) => !rebuilding);
          calmSince = isCalm ? performance.now() : Number.NEGATIVE_INFINITY;
          if (positions.hasPassed(awaited, position)) return;
          if (statuses.some(({ key, rebuilding }) => rebuilding && awaited.includes(key))) {
            settle('behind');
          }
        };
        const stopWatching = positions.onMove(check);
        const poll = setInterval(inquire, pollEvery);
        const deadline = setTimeout(settle, timeoutMs, 'behind');
        if (performance.now() - calmSince > calmFor) void inquire();
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
    async status() {
      // The head first: what is appended after it does not make a projection look behind.
      const end = await head?.();
      const stored = await readStoredStatuses(pool, keys);
      return toStatuses(projections, stored, end ?? furthest(stored));
    },
    async close() {
      stopPokes();
      await stopListening();
    },
  };
}

function furthest(statuses: readonly StoredStatus[]): Position {
  return statuses.reduce(
    (most, { position }) => (comparePositions(position, most) > 0 ? position : most),
    START,
  );
}
