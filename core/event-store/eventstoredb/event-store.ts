import { BACKWARDS, END, FORWARDS } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { macKeyOf } from '#core/event-store/chain.ts';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { comparePositions, type EventStore, type Position } from '#core/event-store/port.ts';
import {
  type NewRawEvent,
  type RawEvent,
  type RawLog,
  type StoredLog,
  storedLogOf,
  toRun,
} from '#core/event-store/raw-log.ts';
import { createEventStore } from '#core/event-store/store.ts';
import { createSubjectKeys, type SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { type Connection, createConnection, defaultTimeouts, type Timeouts } from './connection.ts';
import {
  createHead,
  createPages,
  createRecords,
  leafOf,
  type ReadRecords,
  readToEnd,
  toRaw,
} from './pages.ts';
import { type SubscriptionLimits, subscribe, subscriptionLimits } from './subscription.ts';

type LogOptions = Readonly<{
  /** `esdb://user:password@host:2113?tls=true&tlsCAFile=…` or `esdb+discover://…`. */
  url: string;
  timeouts?: Partial<Timeouts>;
  limits?: SubscriptionLimits;
}>;

/** `pool` leads to the database with the subjects' keys; `dataKey` (32 bytes) wraps them. */
export type EventStoreDbOptions = LogOptions & Readonly<{ pool: Pool; dataKey: Buffer; keys?: SubjectKeys }>;

export type Lifecycle = Readonly<{
  /** Connects and finds the end of the log. Throws `EventStoreUnavailableError`, within two seconds by default. */
  warmUp(): Promise<void>;
  /** Ends the subscriptions and the connection. The pool stays its owner's. */
  close(): Promise<void>;
}>;

/** The event store on EventStoreDB. Connects at the first call. Throws RangeError when `url` is not a connection string. */
export function createEventStoreDbEventStore({
  pool,
  dataKey,
  keys = createSubjectKeys({ pool, dataKey }),
  ...options
}: EventStoreDbOptions): EventStore & StoredLog & Lifecycle {
  const { warmUp, close, ...log } = openEventStoreDbLog(options);
  const store = createEventStore(log, keys, macKeyOf(dataKey));
  return { ...store, ...storedLogOf(log), warmUp, close };
}

/** The raw log alone, for checks and copies of it: its personal data stay sealed. */
export function openEventStoreDbLog({
  url,
  timeouts = {},
  limits = subscriptionLimits,
}: LogOptions): RawLog & Lifecycle {
  const closing = new AbortController();
  const connection = createConnection(url, { ...defaultTimeouts, ...timeouts });
  const readRecords = createRecords(connection);
  const log = createEventStoreDbLog(connection, readRecords);
  const readPage = createPages(readRecords);
  return {
    ...log,
    subscribeAll: (after, { signal, ...options }) =>
      subscribe(connection, readPage, limits, after, {
        ...options,
        signal: AbortSignal.any([signal, closing.signal]),
      }),
    async warmUp() {
      await log.head();
    },
    async close() {
      closing.abort();
      await connection.close();
    },
  };
}

const SMALLEST_PAGE = 100;
const LARGEST_PAGE = 2_000;
/** What an event adds to the time that its append may take, in milliseconds: each is a message of its own. */
const MS_PER_EVENT = 3;

/** Streams, or stretches of the log, that are read at once. */
const AT_ONCE = 8;

/** How many of its own appends the adapter remembers, to notice one that is made again. */
const OWN_APPENDS = 10_000;

/** The log on a server of EventStoreDB, without subscriptions. */
export function createEventStoreDbLog(
  connection: Connection,
  readRecords: ReadRecords,
): Omit<RawLog, 'subscribeAll'> {
  const readStream = async (
    stream: StreamName,
    range: {
      fromRevision: bigint | typeof END;
      direction: typeof FORWARDS | typeof BACKWARDS;
      maxCount?: number;
    },
  ): Promise<RawEvent[]> => {
    const read = await connection.exchange((server, ms) =>
      readToEnd(
        server.client.readStream(stream, { ...server.options, requiresLeader: true, ...range }),
        server,
        ms,
      ),
    );
    const events = read.flatMap((event) => toRaw(event) ?? []);
    freshness.see(events.at(-1)?.position);
    return events;
  };

  const freshness = createFreshness();
  const readPage = createPages(readRecords);
  const readHead = createHead(connection);
  const readLeaves: RawLog['readLeaves'] = (after, limit) =>
    gather(after, limit, async (from, size) => {
      const { events, ...stretch } = await readRecords(from, size);
      return { ...stretch, events: events.flatMap((event) => leafOf(event) ?? []) };
    });

  return {
    async append(stream, expected, events) {
      const isFresh = freshness.before(events);
      let tries = 0;
      const appended = await connection.exchange(
        ({ batches }, ms) => {
          tries += 1;
          return batches.append(stream, expected, events, ms);
        },
        connection.timeouts.request + events.length * MS_PER_EVENT,
      );
      if ('actual' in appended) throw new WrongExpectedRevisionError(stream, expected, appended.actual);
      const { revision, position } = appended;
      if (position !== null) return { revision, position, fresh: isFresh(position) && tries === 1 };
      const range = { fromRevision: BigInt(revision), direction: FORWARDS, maxCount: 1 } as const;
      const [last] = await readStream(stream, range);
      if (!last) throw new Error('an event just appended is not there');
      return { revision, position: last.position, fresh: false };
    },

    readStream: (stream, from, limit) =>
      readStream(stream, {
        fromRevision: BigInt(from),
        direction: FORWARDS,
        ...(limit === undefined ? {} : { maxCount: limit }),
      }),

    async readStreams(streams) {
      const range = { fromRevision: 0n, direction: FORWARDS } as const;
      return (await someAtOnce(streams, (stream) => readStream(stream, range))).flat();
    },

    async lastRevision(stream) {
      const range = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
      const [last] = await readStream(stream, range);
      return last?.revision ?? 'no-stream';
    },

    readAll: (after, limit) =>
      gather(after, limit, async (from, size) => {
        const page = await readPage(from, size);
        freshness.see(page.end);
        return page;
      }),

    readLeaves,

    readLeafRuns: (after, limit) => someAtOnce(after, async (one) => toRun(await readLeaves(one, limit))),

    async head() {
      const head = await readHead();
      freshness.see(head);
      return head;
    },
  };
}

async function someAtOnce<From, To>(all: readonly From[], read: (one: From) => Promise<To>): Promise<To[]> {
  const done: To[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    done.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(read))));
  return done;
}

/** Reads stretch by stretch until there are `limit` of what is wanted, or no more. */
async function gather<E>(
  after: Position,
  limit: number,
  read: (from: Position, size: number) => Promise<{ events: E[]; end: Position; full: boolean }>,
): Promise<E[]> {
  const gathered: E[] = [];
  for (let from = after; ; ) {
    const wanted = limit - gathered.length;
    const { events, end, full } = await read(from, Math.min(Math.max(wanted, SMALLEST_PAGE), LARGEST_PAGE));
    gathered.push(...events.slice(0, wanted));
    if (!full || gathered.length === limit) return gathered;
    from = end;
  }
}

/**
 * The server answers a repeated append as it answered the first, with the position of the event that stands. An append has
 * just been written when this process had not tried it before, and it stands behind all that was seen before it was sent.
 * The same ids that another process appended since are taken for our own: where that can be, as with a command that API
 * and worker both give, the append names the end that was read (`StreamEnd`).
 */
function createFreshness() {
  let newest: Position | null = null;
  const tried = new LRUCache<string, true>({ max: OWN_APPENDS });
  const see = (position: Position | undefined) => {
    if (position === undefined) return;
    if (newest === null || comparePositions(position, newest) > 0) newest = position;
  };
  return {
    see,
    /** Call it before an append is sent, and what it gives with the position that came back. */
    before([first]: readonly NewRawEvent[]) {
      const known = newest;
      const isRepeat = first === undefined || tried.get(first.id);
      if (first) tried.set(first.id, true);
      return (position: Position) => {
        see(position);
        return !isRepeat && known !== null && comparePositions(position, known) > 0;
      };
    },
  };
}
