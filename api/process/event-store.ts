import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import type { EventStore } from '#core/event-store/port.ts';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';

/** The log of facts: on EventStoreDB where `EVENTSTORE_URL` names one, else in the database. Waits for neither. */
export function openEventStore(
  { eventStoreUrl, keys }: Pick<Config, 'eventStoreUrl' | 'keys'>,
  { log: pool, url: connectionString }: Pick<Database, 'log' | 'url'>,
): EventStore & { close(): Promise<void> } {
  const dataKey = keys.data;
  if (eventStoreUrl === undefined) return createEmbeddedEventStore({ pool, connectionString, dataKey });
  return createEventStoreDbEventStore({ url: eventStoreUrl, pool, dataKey });
}
