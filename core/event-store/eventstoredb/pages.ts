import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  START as LOG_START,
  type Position as LogPosition,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { SilentServerError } from '#core/event-store/errors.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { type LogLeaf, type RawEvent, type RawMetadata, toLeaf } from '#core/event-store/raw-log.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { categories, type StreamName } from '#core/kernel/stream-name.ts';
import type { Connection, ServerConnection } from './connection.ts';

type AnyEvent = ResolvedEvent | AllStreamResolvedEvent;

/** What a server writes that leaves the position out: -1 as an unsigned number of 64 bits. */
const NOWHERE = 2n ** 64n - 1n;
const cause = ['actor', 'causation', 'correlation', 'hash'] as const;

/** Streams of ours alone, for the server to filter by. */
export const ownPrefixes = categories.map((category) => `${category}-`);

/**
 * Our event, or null for one that the server or another program wrote. What does not have our form comes with schema 0,
 * which no type has: the codec then calls it unreadable.
 */
export function toRaw(resolved: AnyEvent): RawEvent | null {
  const record = resolved.event;
  if (!record || !ownPrefixes.some((prefix) => record.streamId.startsWith(prefix))) return null;
  const { id, type, streamId, revision, created } = record;
  const { schema, at, ...rest } = plain(record.metadata);
  return {
    position: positionOf(resolved),
    stream: streamId as StreamName,
    revision: Number(revision),
    id,
    type,
    schema: typeof schema === 'number' ? schema : 0,
    at: typeof at === 'string' ? at : created.toISOString(),
    data: (record.isJson ? plain(record.data) : {}) as JsonObject,
    metadata: {
      ...(Object.fromEntries(cause.map((name) => [name, String(rest[name] ?? '')])) as RawMetadata),
      ...(typeof rest['mac'] === 'string' ? { mac: rest['mac'] } : {}),
    },
  };
}

/** An event as a leaf, whatever its stream; null for one of the server's own. Throws `ForeignEventError`. */
export function leafOf(resolved: AnyEvent): LogLeaf | null {
  const record = resolved.event;
  if (!record || record.streamId.startsWith('$')) return null;
  const { at, hash, mac } = plain(record.metadata);
  const written = typeof at === 'string' ? at : record.created.toISOString();
  return toLeaf({ position: positionOf(resolved), at: written, hash, mac });
}

/** Where an event stands in the whole log. */
export function positionOf({ event, commitPosition }: AnyEvent): Position {
  const commit = event?.position?.commit ?? commitPosition;
  if (commit === undefined || commit === NOWHERE) {
    throw new Error('the server is too old: it leaves positions out when it reads a stream');
  }
  return commit.toString();
}

/** For the client. Events of one append have the same commit and prepare position each. */
export function toLogPosition(position: Position | typeof END): LogPosition | typeof LOG_START | typeof END {
  if (position === END) return END;
  if (position === START) return LOG_START;
  return { commit: BigInt(position), prepare: BigInt(position) };
}

function plain(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A stretch of the log: what stands in it, where it ends, and whether there was more. */
type Stretch<E> = Readonly<{ events: E[]; end: Position; full: boolean }>;

/** A stretch with our events alone. */
export type Page = Stretch<RawEvent>;

export type ReadPage = (after: Position, size: number) => Promise<Page>;
export type ReadRecords = (after: Position, size: number) => Promise<Stretch<AllStreamResolvedEvent>>;

/** Reads the log by stretches: `size` counts the events of all writers. The server is asked for one when there is a use for it. */
export function createRecords(connection: Connection): ReadRecords {
  const ms = connection.timeouts.page;
  return async (after, size) => {
    const read = await connection.exchange((server) => {
      const fromPosition = toLogPosition(after);
      // Reading starts with the event at the position itself: one more, to leave it out.
      const maxCount = after === START ? size : size + 1;
      const query = { ...server.options, direction: FORWARDS, fromPosition, maxCount } as const;
      return readToEnd(server.client.readAll(query), server, ms);
    }, ms * 2);
    const fresh = read.filter((event) => comparePositions(positionOf(event), after) > 0).slice(0, size);
    const last = fresh.at(-1);
    return { events: fresh, end: last ? positionOf(last) : after, full: fresh.length === size };
  };
}

/** The same with our events alone, as pages. */
export function createPages(readRecords: ReadRecords): ReadPage {
  return async (after, size) => {
    const { events, ...stretch } = await readRecords(after, size);
    return { ...stretch, events: events.flatMap((event) => toRaw(event) ?? []) };
  };
}

const FIRST_PAGE = 20;
const LONGEST_PAGE = 1_000;

/**
 * The position of our last event. Remembers how far it has looked, as what the server writes for itself may
 * lie behind ours by the thousand.
 */
export function createHead(connection: Connection): () => Promise<Position> {
  let known: { end: Position; head: Position } = { end: START, head: START };
  const readBefore = (before: Position | typeof END, maxCount: number) =>
    connection.exchange((server, ms) => {
      const fromPosition = toLogPosition(before);
      const query = {
        ...server.options,
        requiresLeader: true,
        direction: BACKWARDS,
        fromPosition,
        maxCount,
      } as const;
      return readToEnd(server.client.readAll(query), server, ms);
    });

  return async () => {
    let end: Position | null = null;
    let before: Position | typeof END = END;
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LONGEST_PAGE)) {
      const events = await readBefore(before, size);
      for (const event of events) {
        const position = positionOf(event);
        // A log restored from a copy may end before what was known of it.
        if (end === null && comparePositions(position, known.end) < 0) known = { end: START, head: START };
        end ??= position;
        const head = toRaw(event) ? position : null;
        if (head === null && comparePositions(position, known.end) > 0) continue;
        known = { end, head: head ?? known.head };
        return known.head;
      }
      const last = events.at(-1);
      if (!last || events.length < size) return START;
      before = positionOf(last);
    }
  };
}

/**
 * Reads to the end; `[]` when the stream does not exist. Gives up, and tells the server so, when nothing
 * has come for `ms` milliseconds or the connection is retired.
 */
export function readToEnd<E extends ResolvedEvent | AllStreamResolvedEvent>(
  read: StreamingRead<E>,
  { retired }: ServerConnection,
  ms: number,
): Promise<E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      retired.removeEventListener('abort', giveUp);
      outcome();
    };
    const giveUp = () =>
      settle(() => {
        reject(new SilentServerError('the event store does not answer'));
        // It fails when there was no connection to cancel on.
        read.cancel().catch(() => undefined);
      });
    const timer = setTimeout(giveUp, ms);
    retired.addEventListener('abort', giveUp);
    read
      .on('data', (event: E) => {
        events.push(event);
        timer.refresh();
      })
      .on('end', () => settle(() => resolve(events)))
      // Stays on after the end: an error without a listener would end the process.
      .on('error', (error) =>
        settle(() => (error instanceof StreamNotFoundError ? resolve([]) : reject(error))),
      );
  });
}
