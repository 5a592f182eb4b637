import type { Event } from '#core/kernel/event.ts';
import type { Category, StreamName } from '#core/kernel/stream-name.ts';
import type { KnownEvent } from './event-types.ts';

/** A place in the whole log: a decimal string. Compare with `comparePositions` only, never as text or Number. */
export type Position = string;

/** The position before the first event. */
export const START: Position = '0';

/** Negative, zero or positive, as for `Array.sort`. */
export function comparePositions(a: Position, b: Position): number {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** `'no-stream'` to create; else the revision (0-based) of the last event that the decision saw. Never "any". */
export type ExpectedRevision = 'no-stream' | number;

/**
 * The last event that a decision saw, with its hash (64 hex digits, `metadata.hash` of that event). The next event is tied to
 * it without reading it again. Only ever taken from an event that was read from this log.
 */
export type StreamEnd = Readonly<{ revision: number; hash: string }>;

/** Who, and in what chain of causes. Holds no personal data. */
export type Cause = Readonly<{
  /** `account:<id>`, `customer`, `prospect`, `system`, `seed`, `import`. */
  actor: string;
  /** The command that led to the events; event ids derive from it. */
  causation: string;
  /** The request or process that all of it belongs to. */
  correlation: string;
}>;

/** Cause, our own clock and the hash of the chain over the stream. */
export type EventMetadata = Cause & Readonly<{ at: string; hash: string }>;

/** An event about to be appended. The id makes a retry harmless. */
export type NewEvent = Readonly<{ id: string; event: Event }>;

/** An event as it stands in the log. `schema` is the version it was stored with, before upcasting. */
export type RecordedEvent<E extends Event = KnownEvent> = Readonly<{
  position: Position;
  stream: StreamName;
  revision: number;
  id: string;
  type: string;
  schema: number;
  metadata: EventMetadata;
  /** Upcast to its newest version and decrypted; absent when it cannot be read. */
  event?: E;
  /** Why it cannot be read: unknown type, bad version, does not fit its schema, undecryptable. */
  unreadable?: string;
}>;

export type AppendResult = Readonly<{ revision: number; position: Position }>;

export type SubscriptionMessage =
  | Readonly<{ kind: 'events'; events: readonly RecordedEvent[]; position: Position }>
  /** Everything up to `position` has been delivered or did not match the filter. */
  | Readonly<{ kind: 'caught-up'; position: Position }>;

/** Which events a subscriber is shown. Positions of events that do not match still move `position`. */
export type SubscriptionFilter = Readonly<{ categories?: readonly Category[] }>;

/** A command as `aroundCommand` is given it: its type, the id of its request's command, and the stream that it is for. */
export type HandledCommand = Readonly<{ type: string; id: string; stream: StreamName }>;

/**
 * The log of events. Both adapters pass `tests/event-store/contract.ts`.
 * Every method throws `EventStoreUnavailableError` when the log cannot be reached in time; `subscribeAll` waits it out.
 */
export type EventStore = Readonly<{
  /**
   * Appends all or nothing. The same ids at the same place again answer the first result. With a `StreamEnd`, or after this
   * store's own append, that is one call to the log; with a bare revision the end of the stream may have to be read first.
   * Throws `WrongExpectedRevisionError` when the stream has moved, `UnstorableEventError` when an event
   * breaks its schema, holds NUL or a lone surrogate, or is too large, RangeError when there is nothing to append.
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision | StreamEnd,
    events: readonly NewEvent[],
    context: Cause & { at: string },
  ): Promise<AppendResult>;
  /** Events of one stream from a revision (inclusive), oldest first; `[]` when there is no such stream. */
  readStream(stream: StreamName, from?: number): Promise<RecordedEvent[]>;
  /** All events of several streams, oldest first, by their streams; a stream that is not there is left out. */
  readStreams(streams: readonly StreamName[]): Promise<ReadonlyMap<StreamName, readonly RecordedEvent[]>>;
  /** Events after a position (exclusive) in log order, at most `limit`. Unreadable ones are included. */
  readAll(after: Position, limit: number): Promise<RecordedEvent[]>;
  /** Batches of events after a position, for ever, until `signal` aborts. The queue is bounded: slow readers are waited for. */
  subscribeAll(
    after: Position,
    options: { filter?: SubscriptionFilter; batch?: number; signal: AbortSignal },
  ): AsyncIterable<SubscriptionMessage>;
  /** The position of the last event in the log, `START` when it is empty. */
  head(): Promise<Position>;
  /** Runs the handling of one command, with its reads and its append, such as in a span. Absent: it is just run. */
  aroundCommand?<T>(command: HandledCommand, handle: () => Promise<T>): Promise<T>;
}>;
