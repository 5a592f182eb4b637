import type { Logger } from 'pino';
import type { Config } from '#api/runtime/config/config.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { EventStoreUnavailableError, unreachedReason } from '#core/event-store/errors.ts';
import {
  createLogOrigin,
  type LogKind,
  type LogOrigin,
  type ReaderPosition,
  verifiedStore,
  WrongLogError,
} from '#core/event-store/log-origin.ts';
import type { EventStore } from '#core/event-store/port.ts';
import type { RawLog, StoredLog } from '#core/event-store/raw-log.ts';
import { createSubjectKeys, type SubjectKeys } from '#core/event-store/subject-keys.ts';
import { pause } from '#core/kernel/pause.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import type { Database } from './database.ts';

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
export async function openEventLog(
  config: Config,
  database: Database,
  logger: Logger,
  readers: () => Promise<readonly ReaderPosition[]>,
): Promise<EventLog> {
  const { close, subjectKeys, readLeaves, readLeafRuns, readStored, readStoredStreams, ...unverified } =
    await openEventStore(config, database);
  const kind: LogKind = config.eventStoreUrl === undefined ? 'embedded' : 'eventstoredb';
  const origin = createLogOrigin({ store: unverified, pool: database.log, kind, readers });
  const store = verifiedStore(unverified, origin);
  const stored = { readLeaves, readLeafRuns, readStored, readStoredStreams };
  const opened = { store, unverified, stored, subjectKeys, origin };
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

/** Loaded where such a server is used alone: its client costs a process 14 MB and a tenth of a second. */
const eventStoreDb = () => import('#core/event-store/eventstoredb/event-store.ts');

/** The log of events: on EventStoreDB where `EVENTSTORE_URL` names one, else in the database. Waits for neither. */
export async function openEventStore(
  { eventStoreUrl, keys }: Pick<Config, 'eventStoreUrl' | 'keys'>,
  { log: pool, url: connectionString }: Pick<Database, 'log' | 'url'>,
): Promise<EventStore & StoredLog & { subjectKeys: SubjectKeys; close(): Promise<void> }> {
  const dataKey = keys.data;
  const subjectKeys = createSubjectKeys({ pool, dataKey });
  const shared = { pool, dataKey, keys: subjectKeys };
  const opened =
    eventStoreUrl === undefined
      ? createEmbeddedEventStore({ ...shared, connectionString })
      : (await eventStoreDb()).createEventStoreDbEventStore({ ...shared, url: eventStoreUrl });
  return { ...opened, subjectKeys };
}

/** The same log as it is stored, sealed and unread: for audits and copies. `gapless` when its positions count 1, 2, 3 …. */
export async function openRawLog(
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { log: pool, url: connectionString }: Pick<Database, 'log' | 'url'>,
): Promise<RawLog & Readonly<{ gapless: boolean; close(): Promise<void> }>> {
  if (eventStoreUrl === undefined) return { ...openEmbeddedLog({ pool, connectionString }), gapless: true };
  const { openEventStoreDbLog } = await eventStoreDb();
  return { ...openEventStoreDbLog({ url: eventStoreUrl }), gapless: false };
}

/** How long a request waits for the log, in milliseconds: an outage is answered, not waited for. */
const TIMEOUT = 1_500;

function asLastHeard(breaker: Breaker): EventStoreUnavailableError {
  const failure = breaker.failure();
  return unreachedReason(failure) === undefined || !(failure instanceof EventStoreUnavailableError)
    ? new EventStoreUnavailableError('the log is unavailable')
    : new EventStoreUnavailableError(failure.message, { cause: failure, code: failure.code });
}

/** The log as requests see it: refuses at once while it is known to be unavailable, and never keeps a request waiting for long. */
export function guardStore(store: EventStore, breaker: Breaker): EventStore {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (breaker.isOpen()) throw asLastHeard(breaker);
    const waited = new AbortController();
    const late = pause(TIMEOUT, waited.signal).then(() => {
      throw new EventStoreUnavailableError('the log gives no answer in time', { code: 'no-answer' });
    });
    late.catch(() => {});
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (error instanceof EventStoreUnavailableError) breaker.suspect();
      throw error;
    } finally {
      waited.abort();
    }
  }
  return {
    ...store,
    append: (...args) => guarded(() => store.append(...args)),
    readStream: (...args) => guarded(() => store.readStream(...args)),
    readStreams: (...args) => guarded(() => store.readStreams(...args)),
    head: () => guarded(() => store.head()),
  };
}
