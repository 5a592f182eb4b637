import { streamNameFilter } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { Position, SubscriptionFilter } from '#core/event-store/port.ts';
import type { RawEvent, RawMessage } from '#core/event-store/raw-log.ts';
import { createWakeUp } from '#core/event-store/waiting.ts';
import { pause } from '#core/kernel/pause.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import type { Connection, ServerConnection } from './connection.ts';
import { explain } from './failures.ts';
import { ownPrefixes, type ReadPage, toLogPosition, toRaw } from './pages.ts';

/** Pauses between attempts, in milliseconds; each is cut at random to half at most. */
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;
const BATCH = 500;
const DOUBT_PAGE = 100;

/** `queue`: events that may wait for a slow reader. `silence`: milliseconds without an event before the feed is doubted. */
export type SubscriptionLimits = Readonly<{ queue: number; silence: number }>;

export const subscriptionLimits: SubscriptionLimits = { queue: 2_000, silence: 10_000 };

type Options = { filter?: SubscriptionFilter; batch?: number; signal: AbortSignal };

/** How far a subscriber is. `looked` may be ahead of `position`: nothing of ours lies between. */
type Reader = { position: Position; looked: Position; announced: Position | null };

/**
 * Pages through the log, then listens to a feed; goes back to paging when the reader is too slow for the feed, when it breaks,
 * and when it has been silent while the log grew. Waits outages out and goes on after the last event it handed over.
 */
export async function* subscribe(
  connection: Connection,
  readPage: ReadPage,
  limits: SubscriptionLimits,
  after: Position,
  { filter, batch = BATCH, signal }: Options,
): AsyncGenerator<RawMessage> {
  const reader: Reader = { position: after, looked: after, announced: null };
  let wait = SHORTEST_PAUSE;
  while (!signal.aborted) {
    const from = reader.looked;
    let outcome: LiveEnd | 'unavailable';
    try {
      yield* catchUp(readPage, reader, filter, batch, signal);
      if (signal.aborted) return;
      outcome = yield* listen(connection, readPage, limits, reader, filter, batch, signal);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error;
      outcome = 'unavailable';
    }
    if (outcome === 'behind') continue;
    wait = from === reader.looked ? Math.min(wait * 2, LONGEST_PAUSE) : SHORTEST_PAUSE;
    await pause(wait * (0.5 + Math.random() / 2), signal);
  }
}

async function* catchUp(
  readPage: ReadPage,
  reader: Reader,
  filter: SubscriptionFilter | undefined,
  batch: number,
  signal: AbortSignal,
): AsyncGenerator<RawMessage> {
  for (let full = true; full; ) {
    const page = await readPage(reader.looked, batch);
    if (signal.aborted) return;
    full = page.full;
    reader.looked = page.end;
    yield* hand(reader, page.events, filter, full);
  }
  yield* announce(reader);
}

/** `'behind'`: there is more to page through, now. `'dropped'`: the feed broke. */
type LiveEnd = 'behind' | 'dropped';

async function* listen(
  connection: Connection,
  readPage: ReadPage,
  limits: SubscriptionLimits,
  reader: Reader,
  filter: SubscriptionFilter | undefined,
  batch: number,
  signal: AbortSignal,
): AsyncGenerator<RawMessage, LiveEnd> {
  const wakeUp = createWakeUp();
  const feed = await connection.exchange(async (server) =>
    openFeed(server, reader.looked, limits.queue, wakeUp.notify),
  );
  try {
    while (!signal.aborted) {
      const seen = wakeUp.generation();
      const events = feed.take(batch);
      if (events.length > 0) {
        reader.looked = events.at(-1)?.position ?? reader.looked;
        yield* hand(reader, events, filter, false);
        continue;
      }
      const end = feed.end();
      if (end === 'overflowed') return 'behind';
      if (end === 'dropped') return 'dropped';
      if (end) throw end.error;
      yield* announce(reader);
      await wakeUp.sleep(seen, limits.silence, signal);
      if (seen !== wakeUp.generation() || signal.aborted) continue;
      const page = await readPage(reader.looked, DOUBT_PAGE);
      if (seen !== wakeUp.generation()) continue;
      if (page.events.length > 0 || page.full) return 'behind';
      reader.looked = page.end;
    }
    return 'dropped';
  } finally {
    feed.close();
  }
}

/** Hands over what is wanted. With nothing wanted in it, a long stretch still says how far it went. */
function* hand(
  reader: Reader,
  events: readonly RawEvent[],
  filter: SubscriptionFilter | undefined,
  long: boolean,
): Generator<RawMessage> {
  const position = events.at(-1)?.position;
  if (position === undefined) return;
  reader.position = position;
  const wanted = events.filter(({ stream }) => isWanted(stream, filter));
  if (wanted.length > 0 || long) yield { kind: 'events', events: wanted, position };
}

function* announce(reader: Reader): Generator<RawMessage> {
  if (reader.announced === reader.position) return;
  reader.announced = reader.position;
  yield { kind: 'caught-up', position: reader.position };
}

function isWanted(stream: StreamName, filter: SubscriptionFilter | undefined): boolean {
  const category = stream.slice(0, stream.indexOf('-'));
  return filter?.categories?.some((wanted) => wanted === category) ?? true;
}

/** Why nothing more will come: the queue was full, the server hung up (with an error or without), or we did. */
export type FeedEnd = 'overflowed' | 'dropped' | Readonly<{ error: unknown }>;

/** Our events as they happen, in a queue that is given up rather than let grow. */
export type Feed = Readonly<{
  /** Takes the oldest events out of the queue, at most this many. */
  take(most: number): RawEvent[];
  /** Null while more may come. What stands in the queue is good all the same. */
  end(): FeedEnd | null;
  close(): void;
}>;

/**
 * Subscribes after a position. `onChange` is called when there is something to take or the end has come.
 * The inbound stream knows no back-pressure under Bun, hence the queue of at most `limit` events and no pausing.
 */
export function openFeed(
  server: ServerConnection,
  after: Position,
  limit: number,
  onChange: () => void,
): Feed {
  let queue: RawEvent[] = [];
  let ended: FeedEnd | null = null;
  const subscription = server.client.subscribeToAll({
    ...server.options,
    fromPosition: toLogPosition(after),
    filter: streamNameFilter({ prefixes: ownPrefixes }),
  });

  function finish(reason: FeedEnd): void {
    if (ended) return;
    ended = reason;
    server.retired.removeEventListener('abort', onRetired);
    // It fails when there was no connection to unsubscribe on.
    subscription.unsubscribe().catch(() => undefined);
    onChange();
  }
  const onRetired = () => finish('dropped');
  server.retired.addEventListener('abort', onRetired);

  subscription
    .on('data', (resolved) => {
      const event = ended ? null : toRaw(resolved);
      if (!event) return;
      queue.push(event);
      if (queue.length >= limit) finish('overflowed');
      else onChange();
    })
    .on('end', () => finish('dropped'))
    .on('close', () => finish('dropped'))
    // Stays on after the end: an error without a listener would end the process.
    .on('error', (error) => finish({ error: explain(error) }));

  return {
    take(most) {
      const taken = queue.slice(0, most);
      queue = queue.slice(taken.length);
      return taken;
    },
    end: () => ended,
    close: () => finish('dropped'),
  };
}
