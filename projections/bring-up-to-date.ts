import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { pause } from '#core/kernel/pause.ts';
import { keyOf } from './runtime/build.ts';
import type { Projection } from './runtime/projection.ts';
import { passedInMemory, readStoredStatuses } from './runtime/read-side/status.ts';
import { type RebuildDeps, rebuildTogether } from './runtime/rebuild/rebuild.ts';
import { startProjections } from './worker.ts';

/** How often it is asked how far the worker is, in milliseconds. */
const ASK_EVERY = 100;

type Options = Readonly<{ signal?: AbortSignal; onProgress?: (what: string, position: Position) => void }>;

/**
 * Brings projections to where the log ends now, after much was appended at once: by one rebuild of those that most of
 * the log is new to, the others as the worker does it (this process leads, unless another one does already). One that nothing up to
 * there concerns counts as brought there, although its worker writes its position down later.
 */
export async function bringUpToDate(
  deps: RebuildDeps,
  projections: readonly Projection[],
  { signal, onProgress }: Options = {},
): Promise<Position> {
  const { store, pool, connectionString, log: logger } = deps;
  const head = await store.head();
  let before = await readStoredStatuses(pool, projections);
  const positions = new Map(before.map(({ key, position }) => [key, position]));
  const farBehind = projections.filter(
    (projection) => BigInt(positions.get(keyOf(projection)) ?? START) * 2n < BigInt(head),
  );
  if (farBehind.length > 0) {
    await rebuildTogether(deps, farBehind, {
      signal,
      onProgress: (position, step) => onProgress?.(`read models, ${step}`, position),
    });
  }
  const worker = startProjections({ store, pool, connectionString, logger, projections });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const stored = await readStoredStatuses(pool, projections);
      const late = stored.filter(({ position }) => comparePositions(position, head) < 0);
      if (late.length === 0) return head;
      // One that moves is on its way: only once all rest is the log read for what may concern them.
      const rest = late.every(({ key, position }) =>
        before.some((one) => one.key === key && one.position === position),
      );
      if (rest && (await passedInMemory(store, projections, late, head)).length === late.length) return head;
      before = stored;
      for (const { key, position } of late) onProgress?.(key, position);
      await pause(ASK_EVERY, signal);
    }
  } finally {
    await worker.stop();
  }
}
