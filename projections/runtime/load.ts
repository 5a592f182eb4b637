import type { EventStore, Position, RecordedEvent } from '#core/event-store/port.ts';
import { comparePositions } from '#core/event-store/port.ts';
import type { Build } from './build.ts';
import { fastPace, type Pace } from './pace.ts';
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
  for await (const events of pages(deps.store, from, upTo, pace)) {
    signal.throwIfAborted();
    const started = performance.now();
    const to = events.at(-1)?.position ?? at;
    const batch = { from: at, to, events };
    await Promise.all(targets.map((target) => project(deps, target, batch)));
    at = to;
    onProgress?.(at);
    await pace.rest(performance.now() - started, signal);
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

/** Pages of the log; the next one is fetched while one is worked on. */
async function* pages(
  store: EventStore,
  from: Position,
  upTo: Position | undefined,
  pace: Pace,
): AsyncGenerator<readonly RecordedEvent[]> {
  let size = pace.batch();
  let page = await store.readAll(from, size);
  for (;;) {
    const wanted =
      upTo === undefined ? page : page.filter(({ position }) => comparePositions(position, upTo) <= 0);
    const last = wanted.at(-1);
    if (last === undefined) return;
    const isEnd = wanted.length < size;
    size = pace.batch();
    const ahead = isEnd ? undefined : store.readAll(last.position, size);
    // It is awaited below; until then a failure must not count as unhandled.
    ahead?.catch(() => {});
    yield wanted;
    if (ahead === undefined) return;
    page = await ahead;
  }
}
