import type { Logger } from 'pino';
import {
  createLogOrigin,
  type LogKind,
  type LogOrigin,
  type ReaderPosition,
  verifiedStore,
  WrongLogError,
} from '#core/event-store/log-origin.ts';
import type { EventStore } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database.ts';
import { openEventStore } from './event-store.ts';

export type EventLog = Readonly<{
  /** Refuses with `WrongLogError` while the log is not the one that the database belongs to. */
  store: EventStore;
  /** The same log, not compared: for what takes a restored one for its own. */
  unverified: EventStore;
  /** For the tree over the log and for records: not compared either. */
  stored: StoredLog;
  /** The keys with which the store opens and seals. */
  subjectKeys: SubjectKeys;
  origin: LogOrigin;
  /** Open while the log is unavailable. */
  breaker: Breaker;
  close(): Promise<void>;
}>;

/**
 * The log of events: in the database, or on a server of its own, which may then be unavailable alone. `readers` tells how far
 * everything that follows it has come.
 */
export function openEventLog(
  config: Config,
  database: Database,
  logger: Logger,
  readers: () => Promise<readonly ReaderPosition[]>,
): EventLog {
  const { close, readLeaves, readStored, subjectKeys, ...unverified } = openEventStore(config, database);
  const kind: LogKind = config.eventStoreUrl === undefined ? 'embedded' : 'eventstoredb';
  const origin = createLogOrigin({ store: unverified, pool: database.log, kind, readers });
  const store = verifiedStore(unverified, origin);
  const opened = { store, unverified, stored: { readLeaves, readStored }, subjectKeys, origin };
  if (kind === 'embedded') return { ...opened, breaker: database.breaker, close };
  let refusal: string | undefined;
  const probe = async () => {
    try {
      await store.head();
      refusal = undefined;
    } catch (error) {
      if (error instanceof WrongLogError && error.message !== refusal) {
        refusal = error.message;
        logger.error({ event: 'wrong-log', reason: refusal });
      }
      throw error;
    }
  };
  const breaker = createBreaker({ name: 'event-store', probe, logger, opened: store.forget });
  void breaker.check();
  return {
    ...opened,
    breaker,
    async close() {
      breaker.stop();
      await close();
    },
  };
}
