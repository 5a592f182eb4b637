import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { pause } from '#core/kernel/pause.ts';
import type { Breaker } from './breaker.ts';

/** How long a request waits for the log, in milliseconds: an outage is answered, not waited for. */
const TIMEOUT = 1_500;

/** The log as requests see it: refuses at once while it is known to be unavailable, and never keeps a request waiting for long. */
export function guardStore(store: EventStore, breaker: Breaker): EventStore {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (breaker.isOpen()) throw new EventStoreUnavailableError('the log is unavailable');
    const waited = new AbortController();
    const late = pause(TIMEOUT, waited.signal).then(() => {
      throw new EventStoreUnavailableError('no answer in time');
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
