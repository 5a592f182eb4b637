import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';

export type FlakyStore = Readonly<{
  wrap(store: EventStore): EventStore;
  /** From now on the store is unavailable: nothing is read or appended. */
  becomeUnavailable(): void;
  /** The next appends happen, but their answers are lost: this many. */
  loseAnswers(count: number): void;
  comeBack(): void;
  /** How many appends reached the store. */
  appends(): number;
}>;

/** A real store that can be made to fail as a network does. */
export function flakyStore(): FlakyStore {
  let unavailable = false;
  let losing = 0;
  let appends = 0;
  const fail = () => {
    throw new EventStoreUnavailableError('away');
  };
  return {
    becomeUnavailable: () => {
      unavailable = true;
    },
    loseAnswers: (count) => {
      losing = count;
    },
    comeBack: () => {
      unavailable = false;
      losing = 0;
    },
    appends: () => appends,
    wrap: (store) => ({
      ...store,
      readStream: async (...args) => (unavailable ? fail() : store.readStream(...args)),
      append: async (...args) => {
        if (unavailable) fail();
        appends += 1;
        const result = await store.append(...args);
        if (losing === 0) return result;
        losing -= 1;
        return fail();
      },
    }),
  };
}
