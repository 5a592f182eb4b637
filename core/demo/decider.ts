import type { Command, Decider } from '#core/kernel/decider.ts';
import { type DemoEvent, isDemoEvent } from './events.ts';

/** As `normaliseDemoRequest` writes it. */
export type DemoCommand = Command<'RequestDemo', Omit<DemoEvent['data'], 'requestedAt'>>;

/** A demo that was asked for; null before. */
export type DemoState = DemoEvent['data'] | null;

/** What may happen to a demo: it is asked for once. */
export const demoDecider: Decider<DemoState, DemoCommand, DemoEvent> = {
  initialState: null,
  owns: isDemoEvent,
  evolve: (state, event) => state ?? event.data,
  decide({ at, data }, state) {
    return state === null ? [{ type: 'DemoRequested', data: { ...data, requestedAt: at } }] : [];
  },
};
