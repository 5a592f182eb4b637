import type { Event } from './event.ts';

/** A command: imperative. `at` is the instant (ISO, UTC) at which it is decided: deciders have no clock. */
export type Command<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  at: string;
  data: Readonly<Data>;
}>;

/**
 * The pure heart of an aggregate.
 * `decide` returns the events that follow, `[]` when a repeat has nothing to do, and throws a `DomainError`
 * when the move is not allowed. `evolve` never throws.
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

/** Commands that stand or fall together. */
export type Batch<C extends Command> = Command<'Batch', { commands: readonly C[] }>;

/** Decides a batch in order, each command on what the ones before it led to: all their events, or the refusal of one. */
export function batchDecider<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
): Decider<State, Batch<C>, E> {
  return {
    ...decider,
    decide: ({ data }, before) => {
      let state = before;
      return data.commands.flatMap((command) => {
        const events = decider.decide(command, state);
        state = events.reduce(decider.evolve, state);
        return events;
      });
    },
  };
}

/** Decides as `decider` does, and folds a view of the same events beside its state: for answers that show more than it needs. */
export function deciderWithView<State, View, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  { evolve, initial }: Readonly<{ evolve: (view: View, event: E) => View; initial: View }>,
): Decider<Readonly<{ state: State; view: View }>, C, E> {
  return {
    ...decider,
    initialState: { state: decider.initialState, view: initial },
    decide: (command, { state }) => decider.decide(command, state),
    evolve: ({ state, view }, event) => ({ state: decider.evolve(state, event), view: evolve(view, event) }),
  };
}
