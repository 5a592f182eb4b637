import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#core/event-store/port.ts';
import type { Build } from '#projections/runtime/build.ts';
import { type ProjectionDeps, projectBatch } from '#projections/runtime/follow/batch.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { fastPace, type Pace } from './pace.ts';

/** What is built, all from the same position. */
export type Target = Readonly<{ projection: Projection; build: Build }>;

export type LoadOptions = Readonly<{
  signal: AbortSignal;
  /** Stop here; without it, at the end of the log. */
  upTo?: Position;
  /** Without one, as fast as it goes. */
  pace?: Pace | undefined;
  /** Awaited once every target has come to this position. */
  afterBatch?: ((position: Position) => Promise<void>) | undefined;
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
  { signal, upTo, pace = fastPace(), afterBatch, onProgress }: LoadOptions,
): Promise<Position> {
  let at = from;
  let started = performance.now();
  for await (const events of readPages(deps.store, from, { upTo, size: pace.batch, ahead: pace.ahead })) {
    signal.throwIfAborted();
    const to = events.at(-1)?.position ?? at;
    const batch = { from: at, to, events };
    await Promise.all(targets.map((target) => project(deps, target, batch)));
    at = to;
    await afterBatch?.(at);
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

export type PageOptions = Readonly<{
  /** The last position wanted; without it, the end of the log. */
  upTo?: Position | undefined;
  /** Events of the next page. */
  size(): number;
  /** How many pages are fetched while one is worked on. */
  ahead: number;
}>;

type Page = Readonly<{ events: readonly RecordedEvent[]; isLast: boolean }>;

/** Pages of the log after `from`, in order. */
export async function* readPages(
  store: EventStore,
  from: Position,
  { upTo, size, ahead }: PageOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const fetched: Promise<Page>[] = [];
  let next = () => readPage(store, from, size(), upTo);
  const fetchMore = (most: number) => {
    while (fetched.length < most) {
      const page = next();
      // It is awaited in its turn; until then a failure must not count as unhandled.
      page.catch(() => {});
      fetched.push(page);
      next = () => page.then((before) => follow(store, before, size(), upTo));
    }
  };
  for (;;) {
    fetchMore(1);
    const page = await fetched.shift();
    if (page === undefined || page.events.length === 0) return;
    if (!page.isLast) fetchMore(ahead);
    yield page.events;
    if (page.isLast) return;
  }
}

async function follow(
  store: EventStore,
  { events, isLast }: Page,
  size: number,
  upTo: Position | undefined,
): Promise<Page> {
  const last = events.at(-1);
  return isLast || last === undefined ? { events: [], isLast } : readPage(store, last.position, size, upTo);
}

async function readPage(
  store: EventStore,
  after: Position,
  size: number,
  upTo: Position | undefined,
): Promise<Page> {
  const page = await store.readAll(after, size);
  const last = page.at(-1);
  const isWithin = upTo === undefined || last === undefined || comparePositions(last.position, upTo) <= 0;
  const events = isWithin ? page : page.filter(({ position }) => comparePositions(position, upTo) <= 0);
  return { events, isLast: events.length < size };
}
