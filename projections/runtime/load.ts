import type { Position } from '#core/event-store/port.ts';
import type { Build } from './build.ts';
import { fastPace, type Pace } from './pace.ts';
import { readPages } from './pages.ts';
import { type ProjectionDeps, projectBatch } from './project-batch.ts';
import type { Projection } from './projection.ts';

/** What is built, all from the same position. */
export type Target = Readonly<{ projection: Projection; build: Build }>;

export type LoadOptions = Readonly<{
  signal: AbortSignal;
  /** Stop here; without it, at the end of the log. */
  upTo?: Position;
  /** Without one, as fast as it goes. */
  pace?: Pace | undefined;
  onProgress?: ((position: Position) => void) | undefined;
}>;

/**
 * Brings side builds from `from` to the end of the log, or to `upTo`, in one pass, and answers where they came to.
 * Throws when the signal aborts or another process writes the same build.
 */
export async function load(
  deps: ProjectionDeps,
  targets: readonly Target[],
  from: Position,
  { signal, upTo, pace = fastPace(), onProgress }: LoadOptions,
): Promise<Position> {
  let at = from;
  let started = performance.now();
  for await (const events of readPages(deps.store, from, { upTo, size: pace.batch, ahead: pace.ahead })) {
    signal.throwIfAborted();
    const to = events.at(-1)?.position ?? at;
    const batch = { from: at, to, events };
    await Promise.all(targets.map((target) => project(deps, target, batch)));
    at = to;
    onProgress?.(at);
    await pace.rest(performance.now() - started, signal);
    started = performance.now();
  }
  return at;
}

async function project(
  deps: ProjectionDeps,
  { projection, build }: Target,
  batch: Parameters<typeof projectBatch>[3],
): Promise<void> {
  if ((await projectBatch(deps, projection, build, batch)) === 'elsewhere') {
    throw new Error(`another process builds ${build.key}`);
  }
}
