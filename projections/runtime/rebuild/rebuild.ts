import { type Position, START } from '#core/event-store/port.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { exchangeWhenFree } from './exchange.ts';
import { type LoadOptions, load } from './load.ts';
import { loadFromStart } from './load-from-start.ts';
import type { Pace } from './pace.ts';
import { type RebuildDeps, withSideBuilds } from './side-build.ts';
import { indexSideTables } from './side-tables.ts';

export { type RebuildDeps, RebuildRunningError } from './side-build.ts';

/** What a rebuild is busy with. */
export type RebuildStep = 'reading' | 'indexing' | 'replacing';

export type RebuildOptions = Readonly<{
  signal?: AbortSignal | undefined;
  /** Without one, as fast as it goes. */
  pace?: Pace | undefined;
  onProgress?: ((position: Position, step: RebuildStep) => void) | undefined;
  /** Called when a projection's new tables are in place: from then on they are what is read. */
  onReplaced?: ((name: string, position: Position) => void) | undefined;
}>;

/** `rebuildTogether` for one projection; answers the position reached. */
export async function rebuild(
  deps: RebuildDeps,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<Position> {
  const [reached = START] = await rebuildTogether(deps, [projection], options);
  return reached;
}

/**
 * Builds projections anew from the first event in one pass over the log, beside the live tables, and puts the results
 * in their place, one projection after the other. Readers and the live worker go on meanwhile; killed before that, it
 * has changed nothing. Answers the positions reached.
 */
export async function rebuildTogether(
  deps: RebuildDeps,
  projections: readonly Projection[],
  { signal, pace, onProgress, onReplaced }: RebuildOptions = {},
): Promise<Position[]> {
  return withSideBuilds(deps, projections, 'next', signal, async ({ builds, alive }) => {
    const { store } = deps;
    const tell = (step: RebuildStep) => (position: Position) => onProgress?.(position, step);
    const paced = { signal: alive, pace };
    // Each pass ends where the log ended when it began: writers that are faster cannot keep it going for ever.
    const pass = async (from: Position, step: RebuildStep, as: Pick<LoadOptions, 'signal' | 'pace'>) =>
      load(deps, builds, from, { ...as, upTo: await store.head(), onProgress: tell(step) });
    const loaded = await loadFromStart(deps, builds, {
      ...paced,
      upTo: await store.head(),
      onProgress: tell('reading'),
    });
    tell('indexing')(loaded);
    await indexSideTables(deps.pool, builds, paced);
    const caughtUp = await pass(loaded, 'replacing', paced);
    const almost = await pass(caughtUp, 'replacing', { signal: alive });
    const reached: Position[] = [];
    for (const { projection, build } of builds) {
      const position = await exchangeWhenFree(deps, projection, build, almost, alive);
      onReplaced?.(projection.name, position);
      reached.push(position);
    }
    return reached;
  });
}
