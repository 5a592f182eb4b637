import type { Pool, PoolClient } from 'pg';
import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
} from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { Target } from '#projections/runtime/build.ts';
import { ApplyError, isPoison, reasonOf } from '#projections/runtime/failure.ts';
import { type ProjectionDeps, projectBatch } from '#projections/runtime/follow/batch.ts';
import { lockCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { StreamBuffer, type StreamRow } from '#projections/runtime/projection.ts';
import { fastPace, type Pace } from './pace.ts';
import { emptySideBuild } from './side-build.ts';

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

/**
 * Streams held in memory between two batches (those of one batch come on top), and how many are left when there are
 * more: those that moved last, which are the likeliest to move again.
 */
export type HeldStreams = Readonly<{ most: number; left: number }>;
const usually: HeldStreams = { most: 10_000, left: 2_000 };

type Buffered = Target & Readonly<{ buffer: StreamBuffer<StreamRow> }>;

/** Postgres or the projection refused rows of a buffer: which event is to blame cannot be told from them. */
class BufferedWriteError extends Error {
  override readonly name = 'BufferedWriteError';
}

/**
 * `load` into empty side builds, from the first event. At a fast pace the streams are folded in memory and most rows are
 * written once, by COPY. When rows are refused, the builds are emptied and filled again batch by batch with their events,
 * so that the event to blame is parked as anywhere else.
 */
export async function loadFromStart(
  deps: ProjectionDeps,
  targets: readonly Target[],
  options: LoadOptions,
  held = usually,
): Promise<Position> {
  if (options.pace?.kind === 'gentle') return load(deps, targets, START, options);
  try {
    return await loadBuffered(deps, targets, options, held);
  } catch (error) {
    if (!(error instanceof BufferedWriteError)) throw error;
    deps.log.warn({ event: 'projection-build-again', reason: reasonOf(error.cause) });
    for (const target of targets) await emptySideBuild(deps.pool, target);
    return load(deps, targets, START, options);
  }
}

async function loadBuffered(
  deps: ProjectionDeps,
  targets: readonly Target[],
  options: LoadOptions,
  { most, left }: HeldStreams,
): Promise<Position> {
  const buffered: Buffered[] = [];
  const all = targets.map((target): Target => {
    const { projection, build } = target;
    if (!projection.writeBuffered) return target;
    const buffer = new StreamBuffer<StreamRow>();
    buffered.push({ projection, build, buffer });
    return {
      build,
      projection: {
        ...projection,
        apply: (db, table, events) => projection.apply(db, table, events, buffer),
      },
    };
  });
  const position = await load(deps, all, START, {
    ...options,
    async afterBatch(at) {
      for (const one of buffered) if (one.buffer.size > most) await writeOut(deps.pool, one, left, at);
    },
  });
  for (const one of buffered) await writeOut(deps.pool, one, 0, position);
  return position;
}

/** Writes all but the `left` streams that moved last, of a build that has come to `at`. */
async function writeOut(
  pool: Pool,
  { projection, build, buffer }: Buffered,
  left: number,
  at: Position,
): Promise<void> {
  const write = async (db: PoolClient) => {
    if ((await lockCheckpoint(db, build.key))?.position !== at) {
      throw new Error(`another process builds ${build.key}`);
    }
    try {
      await projection.writeBuffered?.(db, build.table, buffer.takeAllBut(left));
    } catch (cause) {
      const message = `${projection.name} could not write its buffer`;
      throw isPoison(new ApplyError(message, { cause })) ? new BufferedWriteError(message, { cause }) : cause;
    }
  };
  // As every batch of a side build: after a crash it is started again. What it took from the buffer is not there twice.
  await inTransaction(pool, write, { mayBeLost: true, once: true });
}
