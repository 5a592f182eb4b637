import type { JsonObject } from '#core/kernel/canonical-json.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { ForeignEventError } from './errors.ts';
import type { AppendResult, Cause, ExpectedRevision, Position, SubscriptionFilter } from './port.ts';

/**
 * What is stored beside the data: never personal. `hash` closes the chain over the stream up to this event. `mac` shows
 * that the product appended it (`withMacs`), and is missing only before that and where something else did.
 */
export type RawMetadata = Cause & Readonly<{ hash: string; mac?: string }>;

/** An event as it is stored: personal fields sealed, nothing upcast. `at` is an instant as `Date.toISOString` writes it. */
export type NewRawEvent = Readonly<{
  id: string;
  type: string;
  schema: number;
  at: string;
  data: JsonObject;
  metadata: RawMetadata;
}>;

export type RawEvent = NewRawEvent & Readonly<{ position: Position; stream: StreamName; revision: number }>;

export type RawMessage =
  | Readonly<{ kind: 'events'; events: readonly RawEvent[]; position: Position }>
  | Readonly<{ kind: 'caught-up'; position: Position }>;

/** An event as a leaf of the tree over the log: where it stands, when it was written, the 32 bytes of its hash, and its code. */
export type LogLeaf = Readonly<{ position: Position; at: string; hash: Buffer; mac: string | null }>;

/** Leaves that follow one another: their positions, and their hashes, one after the other, 32 bytes each. */
export type LeafRun = Readonly<{ positions: readonly Position[]; hashes: Buffer }>;

/**
 * The part of an event store that differs between adapters: it moves JSON and knows nothing of schemas, keys or hashes.
 * `createEventStore` makes an `EventStore` of it. Every method throws `EventStoreUnavailableError` on an outage,
 * `subscribeAll` alone waits it out.
 */
export type RawLog = Readonly<{
  /**
   * As `EventStore.append`. `fresh` is true only when these very bytes are known to have been written by this call:
   * after a repeat the log holds those of the first attempt.
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewRawEvent[],
  ): Promise<AppendResult & Readonly<{ fresh: boolean }>>;
  /** From a revision (inclusive), oldest first, at most `limit`. */
  readStream(stream: StreamName, from: number, limit?: number): Promise<RawEvent[]>;
  /** All events of several streams, those of one after the other, oldest first. */
  readStreams(streams: readonly StreamName[]): Promise<RawEvent[]>;
  /** The revision of the last event, or `'no-stream'`. */
  lastRevision(stream: StreamName): Promise<ExpectedRevision>;
  /** After a position (exclusive), in log order, at most `limit`. */
  readAll(after: Position, limit: number): Promise<RawEvent[]>;
  /**
   * As `readAll`, but of every stream that is not the server's own, those unknown to this release too: a tree that left
   * some out would be another one. Throws `ForeignEventError` at an event that was not written by us.
   */
  readLeaves(after: Position, limit: number): Promise<LogLeaf[]>;
  /** What `readLeaves` answers after each of these positions, in as few requests as there can be. */
  readLeafRuns(after: readonly Position[], limit: number): Promise<LeafRun[]>;
  /** As `EventStore.subscribeAll`. */
  subscribeAll(
    after: Position,
    options: { filter?: SubscriptionFilter; batch?: number; signal: AbortSignal },
  ): AsyncIterable<RawMessage>;
  head(): Promise<Position>;
}>;

/** What the tree over the log is made from. */
export type LeafReader = Pick<RawLog, 'readLeaves'>;

/**
 * What proofs and records are made from. `readStored` is `RawLog.readStream`, `readStoredStreams` its `readStreams`: personal data in
 * what they read is sealed.
 */
export type StoredLog = Pick<RawLog, 'readLeaves' | 'readLeafRuns'> &
  Readonly<{ readStored: RawLog['readStream']; readStoredStreams: RawLog['readStreams'] }>;

/** Those parts of a raw log. */
export function storedLogOf(log: Omit<RawLog, 'subscribeAll'>): StoredLog {
  const { readLeaves, readLeafRuns, readStream: readStored, readStreams: readStoredStreams } = log;
  return { readLeaves, readLeafRuns, readStored, readStoredStreams };
}

/** A leaf of what an adapter read. Throws `ForeignEventError` unless `hash` is 64 hex digits. */
export function toLeaf({
  position,
  at,
  hash,
  mac,
}: Readonly<{ position: Position; at: string; hash: unknown; mac: unknown }>): LogLeaf {
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) throw new ForeignEventError(position);
  return { position, at, hash: Buffer.from(hash, 'hex'), mac: typeof mac === 'string' ? mac : null };
}

/** The same leaves as a run. */
export function toRun(leaves: readonly LogLeaf[]): LeafRun {
  return {
    positions: leaves.map(({ position }) => position),
    hashes: Buffer.concat(leaves.map(({ hash }) => hash)),
  };
}
