import type { DemoEvent } from './events.ts';

/** A demo that was asked for; null before. */
export type DemoState = DemoEvent['data'] | null;

/** The demo after one more event. */
export function evolveDemo(state: DemoState, event: DemoEvent): DemoState {
  return state ?? event.data;
}
