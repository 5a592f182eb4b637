import { pause } from '#core/kernel/pause.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { EventStoreUnavailableError } from '../errors.ts';
import type { Position, SubscriptionFilter } from '../port.ts';
import type { RawEvent, RawMessage } from '../raw-log.ts';
import { createWakeUp } from '../wake-up.ts';
import type { Connection } from './connection.ts';
import { openFeed } from './feed.ts';
import type { ReadPage } from './pages.ts';

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
