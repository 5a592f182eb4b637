import type { Decider } from '#core/kernel/decider.ts';
import type { DemoCommand } from './commands.ts';
import { type DemoEvent, isDemoEvent } from './events.ts';
import { type DemoState, evolveDemo } from './state.ts';

/** What may happen to a demo: it is asked for once. */
export const demoDecider: Decider<DemoState, DemoCommand, DemoEvent> = {
  initialState: null,
  owns: isDemoEvent,
  evolve: evolveDemo,
  decide({ at, data }, state) {
    return state === null ? [{ type: 'DemoRequested', data: { ...data, requestedAt: at } }] : [];
  },
};
