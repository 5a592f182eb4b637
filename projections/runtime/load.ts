import type { EventStore, Position, RecordedEvent } from '#core/event-store/port.ts';
import { comparePositions } from '#core/event-store/port.ts';
import type { Build } from './build.ts';
import { type ProjectionDeps, projectBatch } from './project-batch.ts';
import type { Projection } from './projection.ts';

/** Larger than live batches: more events of one stream meet in memory, fewer statements. */
const pageSize = 5_000;

export type LoadOptions = Readonly<{
  signal: AbortSignal;
  /** Stop here; without it, at the end of the log. */
  upTo?: Position;
  onProgress?: ((position: Position) => void) | undefined;
}>;

/**
 * Brings a side build from `from` to the end of the log, or to `upTo`, and answers where it came to.
 * Throws when the signal aborts or another process writes the same build.
 */
export async function load(
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  from: Position,
  { signal, upTo, onProgress }: LoadOptions,
): Promise<Position> {
  let at = from;
  for await (const events of pages(deps.store, from, upTo)) {
    signal.throwIfAborted();
    const to = events.at(-1)?.position ?? at;
    if ((await projectBatch(deps, projection, build, { from: at, to, events })) === 'elsewhere') {
      throw new Error(`another process builds ${build.key}`);
    }
    at = to;
    onProgress?.(at);
  }
  return at;
}

/** Pages of the log; the next one is fetched while one is worked on. */
async function* pages(
  store: EventStore,
  from: Position,
  upTo: Position | undefined,
): AsyncGenerator<readonly RecordedEvent[]> {
  let page = await store.readAll(from, pageSize);
  for (;;) {
    const wanted =
      upTo === undefined ? page : page.filter(({ position }) => comparePositions(position, upTo) <= 0);
    const last = wanted.at(-1);
    if (last === undefined) return;
    const isEnd = wanted.length < pageSize;
    const ahead = isEnd ? undefined : store.readAll(last.position, pageSize);
    // It is awaited below; until then a failure must not count as unhandled.
    ahead?.catch(() => {});
    yield wanted;
    if (ahead === undefined) return;
    page = await ahead;
  }
}
