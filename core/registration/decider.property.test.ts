import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { attempt } from '#tests/support/decider-spec.ts';
import { anyRegistrationCommand } from '#tests/support/registration-arbitraries.ts';
import { started, wattle } from '#tests/support/registration-scenarios.ts';
import type { RegistrationCommand } from './commands.ts';
import { registrationDecider } from './decider.ts';
import type { RegistrationEvent } from './events.ts';

const registrationId = 'r1';
const at = '2026-11-03T01:00:00.000Z';
const { email, phone } = wattle.completing;
/** The way that leads to the end. */
const usual: readonly RegistrationCommand[] = [
  {
    ...{ type: 'SaveRegistration', at },
    data: { registrationId, step: null, answers: wattle.answers, choosesPassword: true },
  },
  { type: 'VerifyRegistrationEmail', at, data: { registrationId, email } },
  { type: 'VerifyRegistrationPhone', at, data: { registrationId, phone } },
  { type: 'CompleteRegistration', at, data: wattle.completing },
];
/** That way, a part of it missing now and then, and anything in between. */
const commands = fc
  .tuple(
    ...usual.map((command) =>
      fc.tuple(
        fc.array(anyRegistrationCommand, { maxLength: 2 }),
        fc.oneof({ weight: 9, arbitrary: fc.constant([command]) }, fc.constant([])),
      ),
    ),
    fc.array(anyRegistrationCommand, { maxLength: 8 }),
  )
  .map((parts) => parts.flat(2));

function decideAll(all: readonly RegistrationCommand[]): RegistrationEvent[] {
  const events: RegistrationEvent[] = [started];
  for (const one of all) {
    events.push(...(attempt(registrationDecider, one, fold(registrationDecider, events)) ?? []));
  }
  return events;
}

/** The draft as somebody would tell it who only reads the facts: the last save, and what came of it since. */
function told(events: readonly RegistrationEvent[]) {
  const since = events.findLastIndex(({ type }) => type === 'RegistrationSaved');
  const save = events[since];
  const answers = save?.type === 'RegistrationSaved' ? save.data : null;
  const phones = events.flatMap((event) =>
    event.type === 'RegistrationPhoneVerified' ? event.data.phone : [],
  );
  const emails = events.flatMap((event) =>
    event.type === 'RegistrationEmailVerified' ? event.data.email : [],
  );
  return {
    answers,
    phones,
    emails,
    hasPassword: events.some(({ type }) => type === 'RegistrationPasswordChosen'),
  };
}

describe('whatever is asked of a registration, in whatever order', () => {
  test('it is completed once, and only with everything that the steps ask for', () => {
    let completions = 0;
    fc.assert(
      fc.property(commands, (all) => {
        const events = decideAll(all);
        const at = events.findIndex(({ type }) => type === 'RegistrationCompleted');
        if (at === -1) return;
        completions += 1;
        expect(events.slice(at + 1)).toEqual([]);
        const { answers, phones, emails, hasPassword } = told(events.slice(0, at));
        const fact = events[at];
        if (fact?.type !== 'RegistrationCompleted' || answers === null) throw new Error('nothing was saved');
        expect(phones).toContain(fact.data.phone);
        expect(emails).toContain(fact.data.email);
        expect(hasPassword && answers.terms && answers.entity?.registered).toBe(true);
        expect(answers.trades.length).toBeLessThanOrEqual(3);
        expect(answers.specialties.length).toBeGreaterThan(0);
        for (const name of [fact.data.tradingName, fact.data.firstName, fact.data.lastName]) {
          expect(name.trim()).not.toBe('');
          expect(name).not.toMatch(/[\n\r\t]/);
        }
      }),
      { numRuns: 500 },
    );
    expect(completions).toBeGreaterThan(25);
  });

  test('nobody stands on a step whose way there is not done, but by going back', () => {
    fc.assert(
      fc.property(commands, (all) => {
        let before = 0;
        for (const event of decideAll(all)) {
          if (event.type !== 'RegistrationSaved') continue;
          const { step, specialties, trades } = event.data;
          if (step > before && step > 1) expect(specialties.length > 0 && trades.length > 0).toBe(true);
          before = step;
        }
      }),
    );
  });
});
