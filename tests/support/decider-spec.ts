import { expect } from 'vitest';
import { type Command, type Decider, fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';

/** `const given = deciderSpec(jobDecider)`, then `given(events).when(command).then(events)` or `.thenThrows(Error)`. */
export function deciderSpec<State, C extends Command, E extends Event>(decider: Decider<State, C, E>) {
  return (history: readonly E[]) => ({
    when(command: C) {
      const decide = () => decider.decide(command, fold(decider, history));
      return {
        /** The events, for what needs a closer look than equality. */
        decide,
        then: (expected: readonly E[]) => expect(decide()).toEqual(expected),
        thenThrows: (error: new (...args: never[]) => DomainError) => expect(decide).toThrow(error),
      };
    },
  });
}

/** The events of a decision, or null when the business refuses. Anything else that is thrown is a fault and goes on. */
export function attempt<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  command: C,
  state: State,
): E[] | null {
  try {
    return decider.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
