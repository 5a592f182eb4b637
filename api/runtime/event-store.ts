import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import {
  createEventStoreDbEventStore,
  openEventStoreDbLog,
} from '#core/event-store/eventstoredb/event-store.ts';
import type { EventStore } from '#core/event-store/port.ts';
import type { RawLog, StoredLog } from '#core/event-store/raw-log.ts';
import { createSubjectKeys, type SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database.ts';

/** The log of events: on EventStoreDB where `EVENTSTORE_URL` names one, else in the database. Waits for neither. */
export function openEventStore(
  { eventStoreUrl, keys }: Pick<Config, 'eventStoreUrl' | 'keys'>,
  { log: pool, url: connectionString }: Pick<Database, 'log' | 'url'>,
): EventStore & StoredLog & { subjectKeys: SubjectKeys; close(): Promise<void> } {
  const dataKey = keys.data;
  const subjectKeys = createSubjectKeys({ pool, dataKey });
  const shared = { pool, dataKey, keys: subjectKeys };
  const opened =
    eventStoreUrl === undefined
      ? createEmbeddedEventStore({ ...shared, connectionString })
      : createEventStoreDbEventStore({ ...shared, url: eventStoreUrl });
  return { ...opened, subjectKeys };
}

/** The same log as it is stored, sealed and unread: for audits and copies. `gapless` when its positions count 1, 2, 3 …. */
export function openRawLog(
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { log: pool, url: connectionString }: Pick<Database, 'log' | 'url'>,
): RawLog & Readonly<{ gapless: boolean; close(): Promise<void> }> {
  if (eventStoreUrl === undefined) return { ...openEmbeddedLog({ pool, connectionString }), gapless: true };
  return { ...openEventStoreDbLog({ url: eventStoreUrl }), gapless: false };
}
