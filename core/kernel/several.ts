import type { Command } from './command.ts';
import type { Decider } from './decider.ts';
import type { Event } from './event.ts';

/** Commands that stand or fall together. */
export type Several<C extends Command> = Command<'Several', { commands: readonly C[] }>;

/** A decider of several commands in order, each on what the ones before it led to: all their events, or the refusal of one. */
export function several<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
): Decider<State, Several<C>, E> {
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
