import type { PoolClient } from 'pg';
import { type GrowingTree, growingTree } from '#core/crypto/merkle.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import type { RawEvent, RawLog } from '#core/event-store/raw-log.ts';
import { copyIn, copyLine } from '#core/postgres/copy-in.ts';
import { eventsOf, pushEvent, sha256 } from './log-part.ts';
import type { LogPart } from './manifest.ts';
import { BackupError, type ObjectReader } from './objects.ts';

/** Takes events in the order of the log; answers the position of the last. */
export type EventSink = (events: readonly RawEvent[]) => Promise<Position>;

export type LoadedLog = Readonly<{
  /** Where an event stands now that stood at this position, or the last one before it. */
  placeOf(position: Position): Position;
  end: Position;
  /** Roots at the sizes that were asked for, as far as the log has them. */
  roots: ReadonlyMap<number, Uint8Array>;
}>;

/** Into the tables of Postgres, in the transaction of `db`: positions count from 1. */
export function tableSink(db: PoolClient): EventSink {
  let count = 0n;
  return async (events) => {
    const lines = events.map(({ stream, revision, id, type, schema, at, data, metadata }) => {
      count += 1n;
      const place = [String(count), stream, revision] as const;
      return copyLine([...place, id, type, schema, at, JSON.stringify(data), JSON.stringify(metadata)]);
    });
    const columns = 'pos, stream, revision, id, type, schema, at, data, meta';
    await copyIn(db, `copy event_store.events (${columns}) from stdin`, lines);
    return String(count);
  };
}

/** Events of one append, at most. */
const RUN = 500;

/** Onto a server: events of one stream that follow each other are one append, and one append waits for the one before. */
export function serverSink(log: Pick<RawLog, 'append'>): EventSink {
  return async (events) => {
    let position = START;
    for (let begin = 0; begin < events.length; ) {
      const [first] = events.slice(begin, begin + 1) as [RawEvent];
      let end = begin + 1;
      while (end - begin < RUN && events[end]?.stream === first.stream) end += 1;
      const expected = first.revision === 0 ? 'no-stream' : first.revision - 1;
      const run = events
        .slice(begin, end)
        .map(({ position: _, stream: __, revision: ___, ...event }) => event);
      ({ position } = await log.append(first.stream, expected, run));
      begin = end;
    }
    return position;
  };
}

/**
 * Writes the events of a backup into `sink`. Throws BackupError when their root is not that of the manifest.
 * @param wanted positions whose new place is needed afterwards
 * @param sizes of trees whose roots are needed afterwards
 */
export async function loadLog(
  reader: ObjectReader,
  part: LogPart,
  sink: EventSink,
  { wanted, sizes }: Readonly<{ wanted: readonly Position[]; sizes: readonly number[] }>,
): Promise<LoadedLog> {
  const tree = growingTree(sha256);
  const roots = new Map<number, Uint8Array>();
  const places = new Map<Position, Position>([[START, START]]);
  const waiting = [...new Set(wanted)].sort(comparePositions);
  let end = START;
  for (const segment of part.segments) {
    const events = eventsOf(await reader.lines(segment));
    if (tree.size() !== segment.first || events.length !== segment.count)
      throw new BackupError(`${segment.name} does not have the events that the manifest names.`);
    for (const run of split(events, waiting)) {
      // A process at a position between two events goes on after the first of them.
      while (isBefore(waiting[0], run[0]?.position)) places.set(waiting.shift() as Position, end);
      push(tree, run, new Set(sizes), roots);
      end = await sink(run);
      while (waiting[0] === run.at(-1)?.position) places.set(waiting.shift() as Position, end);
    }
  }
  if (Buffer.from(tree.root()).toString('base64') !== part.root)
    throw new BackupError(
      'The events do not have the root that the manifest states: the backup was changed.',
    );
  return { end, roots, placeOf: (position) => places.get(position) ?? end };
}

function push(
  tree: GrowingTree,
  events: readonly RawEvent[],
  sizes: ReadonlySet<number>,
  roots: Map<number, Uint8Array>,
): void {
  for (const event of events) {
    pushEvent(tree, event);
    if (sizes.has(tree.size())) roots.set(tree.size(), tree.root());
  }
}

/** Runs that end at each of these positions, or where the next event would lie behind it. */
function split(events: readonly RawEvent[], positions: readonly Position[]): RawEvent[][] {
  const runs: RawEvent[][] = [];
  let run: RawEvent[] = [];
  let next = 0;
  for (const event of events) {
    let isEnd = false;
    for (; isBefore(positions[next], event.position); next += 1) isEnd = true;
    if (isEnd && run.length > 0) {
      runs.push(run);
      run = [];
    }
    run.push(event);
  }
  return run.length > 0 ? [...runs, run] : runs;
}

function isBefore(position: Position | undefined, other: Position | undefined): boolean {
  return position !== undefined && other !== undefined && comparePositions(position, other) < 0;
}
