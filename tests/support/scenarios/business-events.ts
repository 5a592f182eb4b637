import { expect } from 'vitest';
import type { BusinessEvent } from '#core/business/events.ts';
import { type Command, type Decider, fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';

export const acme: Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'> = {
  businessId: 'acme',
  accountId: 'account-1',
  region: 'au',
  plan: 'plus',
  bn: '51824753556',
  name: 'ACME PLUMBING PTY LTD',
  tradingName: 'Acme Plumbing',
  tagline: 'Plumbers, Brunswick VIC',
  timeZone: 'Australia/Melbourne',
  coverage: { lat: -37.77, lng: 144.96, radius: 15_000 },
};

export const acmeRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acme, registeredAt: '2026-11-02T21:00:00.000Z' },
};

/** The same business on the plan that shows no logo. */
export const starterRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acmeRegistered.data, plan: 'starter' },
};

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
