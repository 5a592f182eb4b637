import type { Pool } from 'pg';
import { macKeyOf } from '../append-mac.ts';
import type { EventStore } from '../port.ts';
import type { RawLog, StoredLog } from '../raw-log.ts';
import { createEventStore } from '../store.ts';
import { createSubjectKeys, type SubjectKeys } from '../subject-keys.ts';
import { createConnection, defaultTimeouts, type Timeouts } from './connection.ts';
import { createEventStoreDbLog } from './log.ts';
import { createPages, createRecords } from './pages.ts';
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
  return { ...store, readLeaves: log.readLeaves, readStored: log.readStream, warmUp, close };
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
