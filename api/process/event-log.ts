import type { Logger } from 'pino';
import type { EventStore } from '#core/event-store/port.ts';
import type { Config } from '../config.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import type { Database } from './database.ts';
import { openEventStore } from './event-store.ts';

export type EventLog = Readonly<{
  store: EventStore;
  /** Open while the log is away. */
  breaker: Breaker;
  close(): Promise<void>;
}>;

/** The log of facts: in the database, or on a server of its own, which may then be away alone. */
export function openEventLog(config: Config, database: Database, logger: Logger): EventLog {
  const { close, ...store } = openEventStore(config, database);
  if (config.eventStoreUrl === undefined) return { store, breaker: database.breaker, close };
  const breaker = createBreaker({ name: 'event-store', probe: store.head, logger });
  void breaker.check();
  return {
    store,
    breaker,
    async close() {
      breaker.stop();
      await close();
    },
  };
}
