import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  type SubscriptionMessage,
} from './port.ts';
import { createWakeUp } from './waiting.ts';

type Subscribe = EventStore['subscribeAll'];
type Options = Parameters<Subscribe>[1];

/** Events that stay in memory for readers that are behind the feed; one that is further behind reads by itself. */
export const TAIL = 2_000;
/**
 * They stay for at least so many milliseconds and at most twice as many, read or not: they are decoded, and what they tell of a
 * person must not outlive that person's key for long.
 */
export const TAIL_AGE_MS = 5_000;
const BATCH = 500;
/** Longest sleep between two checks, in milliseconds; every change wakes earlier. */
const SLEEP_MS = 60_000;

/**
 * `subscribeAll` for many subscribers of one process: the log is read and decoded once for all that have come to its end.
 * Each begins with a subscription of its own, joins the others there, and reads by itself again while it is too slow for
 * them or while what they share has failed. None waits for another.
 */
export function shareSubscriptions(subscribeAlone: Subscribe): Subscribe {
  let feed: Feed | undefined;
  return async function* subscribeAll(after, options) {
    let position = after;
    while (!options.signal.aborted) {
      let joined: Feed | undefined;
      for await (const message of subscribeAlone(position, options)) {
        position = message.position;
        yield message;
        if (message.kind !== 'caught-up') continue;
        if (feed === undefined || feed.isOver()) feed = openFeed(subscribeAlone, position);
        if (feed.holds(position)) {
          joined = feed;
          break;
        }
      }
      if (joined === undefined) return;
      for await (const message of joined.readAfter(position, options)) {
        position = message.position;
        yield message;
      }
    }
  };
}

/** The end of the log as it grows, for all readers that keep up with it. */
type Feed = Readonly<{
  /** The source has ended or failed, or no reader was left. */
  isOver(): boolean;
  /** All events after the position are in memory, or still to come. */
  holds(position: Position): boolean;
  /** Messages after a position that `holds`; ends when the feed does, or when the reader has fallen behind its memory. */
  readAfter(position: Position, options: Options): AsyncGenerator<SubscriptionMessage>;
}>;

type Reader = { next: number };

function openFeed(subscribeAlone: Subscribe, from: Position): Feed {
  const stopping = new AbortController();
  const grown = createWakeUp();
  const drained = createWakeUp();
  const readers = new Set<Reader>();
  let tail: RecordedEvent[] = [];
  /** Before the first event of the tail, and of the last message. */
  let [start, end] = [from, from];
  /** Events that have come, the ones that left the tail included: readers count with it. */
  let count = 0;
  let isOver = false;
  let ageing: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    try {
      for await (const message of subscribeAlone(from, { batch: BATCH, signal: stopping.signal })) {
        if (message.kind === 'events') remember(message.events);
        end = message.position;
        grown.notify();
        await untilWanted();
      }
    } catch {
      // Each reader meets the failure in a subscription of its own and reports it there.
    } finally {
      isOver = true;
      clearTimeout(ageing);
      keepLast(0);
      grown.notify();
    }
  }

  function remember(events: readonly RecordedEvent[]): void {
    tail.push(...events);
    count += events.length;
    keepLast(TAIL);
    ageing ??= setTimeout(dropAged, TAIL_AGE_MS, count);
  }

  function keepLast(most: number): void {
    const dropped = tail.at(-most - 1);
    if (dropped === undefined) return;
    start = dropped.position;
    tail = most === 0 ? [] : tail.slice(-most);
  }

  /** What had come when `counted` was noted is old now. */
  function dropAged(counted: number): void {
    keepLast(count - counted);
    ageing = tail.length === 0 ? undefined : setTimeout(dropAged, TAIL_AGE_MS, count);
  }

  /** The fastest reader decides: it never falls behind the tail, and a slow one holds up no other. */
  async function untilWanted(): Promise<void> {
    for (;;) {
      const seen = drained.generation();
      const furthest = Math.max(...[...readers].map(({ next }) => next), 0);
      if (stopping.signal.aborted || count - furthest <= TAIL / 2) return;
      await drained.sleep(seen, SLEEP_MS, stopping.signal);
    }
  }

  async function* readAfter(
    after: Position,
    { filter, batch = BATCH, signal }: Options,
  ): AsyncGenerator<SubscriptionMessage> {
    // Asked again: while the reader left its own subscription, the feed went on.
    if (!holds(after)) return;
    const later = tail.findIndex(({ position }) => comparePositions(position, after) > 0);
    const reader: Reader = { next: later < 0 ? count : count - tail.length + later };
    let position = after;
    readers.add(reader);
    try {
      while (!signal.aborted) {
        const seen = grown.generation();
        const index = reader.next - (count - tail.length);
        if (index < 0) return;
        const page = tail.slice(index, index + batch);
        reader.next += page.length;
        drained.notify();
        const to = reader.next === count ? end : (page.at(-1)?.position ?? end);
        const hasMoved = comparePositions(to, position) > 0;
        if (hasMoved) {
          const events = page.filter(
            (event) => isWanted(event, filter) && comparePositions(event.position, position) > 0,
          );
          position = to;
          if (events.length > 0) yield { kind: 'events', events, position };
          if (reader.next === count && position === end) yield { kind: 'caught-up', position };
        } else if (isOver) return;
        else if (page.length === 0) await grown.sleep(seen, SLEEP_MS, signal);
      }
    } finally {
      readers.delete(reader);
      drained.notify();
      if (readers.size === 0) {
        isOver = true;
        stopping.abort();
      }
    }
  }

  function holds(position: Position): boolean {
    return comparePositions(position, start) >= 0;
  }

  void run();
  return { isOver: () => isOver, holds, readAfter };
}

function isWanted({ stream }: RecordedEvent, filter: Options['filter']): boolean {
  const category = stream.slice(0, stream.indexOf('-'));
  return filter?.categories?.some((wanted) => wanted === category) ?? true;
}
