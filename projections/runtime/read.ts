import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { readModelChannel, readPayload } from './announce.ts';
import { listen } from './listener.ts';
import { onPoke } from './poke.ts';
import { createPositions } from './positions.ts';
import type { Change } from './projection.ts';
import type { ReadSide } from './read-side.ts';
import { projections } from './registry.ts';
import { readStandings, type Standing, toStatuses } from './status.ts';

/** How often a waiter asks the database, should no notification come, in milliseconds. */
const pollEvery = 50;
const defaultTimeout = 500;

/**
 * What this process knows of the read models, by pokes of a worker on the same pool, notifications, and asking.
 * `head` is the log's; without it, `status` measures against the projection that is furthest.
 */
export function createReadSide({
  pool,
  connectionString,
  head,
}: {
  pool: Pool;
  connectionString: string;
  head?: () => Promise<Position>;
}): ReadSide {
  const names = projections.map(({ name }) => name);
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
    onListening: tellGap,
    onPayload(payload) {
      const told = readPayload(payload);
      if (told === null) return;
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
  /** Waiters that ask at the same time share one query. */
  const ask = () => {
    asking ??= readStandings(pool, names).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    waitFor(awaited, position, timeoutMs = defaultTimeout) {
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
          for (const standing of standings) positions.set(standing.name, standing.position);
          if (positions.hasPassed(awaited, position)) return;
          if (standings.some(({ name, rebuilding }) => rebuilding && awaited.includes(name))) {
            settle('behind');
          }
        };
        const stopWatching = positions.onMove(check);
        const poll = setInterval(inquire, pollEvery);
        const deadline = setTimeout(settle, timeoutMs, 'behind');
        void inquire();
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
      const standings = await readStandings(pool, names);
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
