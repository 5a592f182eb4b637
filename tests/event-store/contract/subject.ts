import type { AppendResult, EventStore } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';

/** One log, empty at first, and the means to disturb it. */
export type Subject = Readonly<{
  store: EventStore & StoredLog;
  /** Cuts every connection of the store, as a server that dies does; it can be reached again at once. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}>;

/** Makes a stream of so many events. */
export type Seed = (stream: StreamName, amount: number) => Promise<AppendResult>;
