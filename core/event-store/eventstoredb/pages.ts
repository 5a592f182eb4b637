import { type AllStreamResolvedEvent, BACKWARDS, END, FORWARDS } from '@eventstore/db-client';
import { comparePositions, type Position, START } from '../port.ts';
import type { RawEvent } from '../raw-log.ts';
import type { Connection } from './connection.ts';
import { positionOf, toLogPosition, toRaw } from './events.ts';
import { readToEnd } from './reading.ts';

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
