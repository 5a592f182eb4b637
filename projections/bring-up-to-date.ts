import { comparePositions, type Position } from '#core/event-store/port.ts';
import { pause } from './runtime/pause.ts';
import type { Projection } from './runtime/projection.ts';
import { type RebuildDeps, rebuild } from './runtime/rebuild.ts';
import { readStandings } from './runtime/status.ts';
import { startProjections } from './worker.ts';

/** How often it is asked how far the worker is, in milliseconds. */
const ASK_EVERY = 200;

type Options = Readonly<{ signal?: AbortSignal; onProgress?: (name: string, position: Position) => void }>;

/**
 * Brings projections to where the log ends now, after much was appended at once: by a rebuild where most of the log is
 * new to one, else as the worker does it (this process leads, unless another one does already).
 */
export async function bringUpToDate(
  deps: RebuildDeps,
  projections: readonly Projection[],
  { signal, onProgress }: Options = {},
): Promise<Position> {
  const { store, pool, connectionString, log: logger } = deps;
  const head = await store.head();
  const behind = await positionsOf(deps, projections);
  for (const projection of projections) {
    if (BigInt(behind.get(projection.name) ?? '0') * 2n >= BigInt(head)) continue;
    await rebuild(deps, projection, {
      ...(signal && { signal }),
      onProgress: (position) => onProgress?.(projection.name, position),
    });
  }
  const worker = startProjections({ store, pool, connectionString, logger, projections });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const late = [...(await positionsOf(deps, projections))].filter(
        ([, position]) => comparePositions(position, head) < 0,
      );
      if (late.length === 0) return head;
      for (const [name, position] of late) onProgress?.(name, position);
      await pause(ASK_EVERY, signal);
    }
  } finally {
    await worker.stop();
  }
}

async function positionsOf(
  { pool }: RebuildDeps,
  projections: readonly Projection[],
): Promise<Map<string, Position>> {
  const standings = await readStandings(
    pool,
    projections.map(({ name }) => name),
  );
  return new Map(standings.map(({ key, position }) => [key, position]));
}
