import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { lockClass } from './advisory-lock.ts';
import { readModelChannel, readPayload } from './announce.ts';
import { keyOf } from './build.ts';
import { listen } from './listener.ts';
import { readerLock } from './lock-names.ts';
import { onPoke } from './poke.ts';
import { createPositions } from './positions.ts';
import type { Change, Projection } from './projection.ts';
import type { ReadSide } from './read-side.ts';
import { projections as allProjections } from './registry.ts';
import { readStandings, type Standing, toStatuses } from './status.ts';

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

  let asking: Promise<Standing[]> | undefined;
  let calmSince = Number.NEGATIVE_INFINITY;
  /** Waiters that ask at the same time share one query. */
  const ask = () => {
    asking ??= readStandings(pool, keys).finally(() => {
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
          const standings = await ask().catch(() => []);
          for (const standing of standings) positions.set(standing.key, standing.position);
          const isCalm = standings.length > 0 && standings.every(({ rebuilding }) => !rebuilding);
          calmSince = isCalm ? performance.now() : Number.NEGATIVE_INFINITY;
          if (positions.hasPassed(awaited, position)) return;
          if (standings.some(({ key, rebuilding }) => rebuilding && awaited.includes(key))) {
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
      const standings = await readStandings(pool, keys);
      return toStatuses(projections, standings, end ?? furthest(standings));
    },
    async close() {
      stopPokes();
      await stopListening();
    },
  };
}

function furthest(standings: readonly Standing[]): Position {
  return standings.reduce(
    (most, { position }) => (comparePositions(position, most) > 0 ? position : most),
    START,
  );
}
