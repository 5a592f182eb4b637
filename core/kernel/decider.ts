import type { Command } from './command.ts';
import type { Event } from './event.ts';

/**
 * The pure heart of an aggregate.
 * `decide` returns the facts that follow, `[]` when a repeat has nothing to do, and throws a `DomainError`
 * when the move is not allowed. `evolve` never throws on a fact.
 */
export type Decider<State, C extends Command, E extends Event> = Readonly<{
  decide: (command: C, state: State) => E[];
  evolve: (state: State, event: E) => State;
  initialState: State;
  /** Whether an event is of this aggregate. */
  owns: (event: Event) => event is E;
}>;

/** The state after a history. */
export function fold<State, E extends Event>(
  decider: Pick<Decider<State, never, E>, 'evolve' | 'initialState'>,
  events: readonly E[],
): State {
  return events.reduce((state, event) => decider.evolve(state, event), decider.initialState);
}
