import fc from 'fast-check';
import type { RegistrationCommand } from '#core/registration/decider.ts';
import { type AnswersGiven, noAnswers, type RegistrationDraft } from '#core/registration/draft.ts';
import { wattle } from './registration-scenarios.ts';

const { answers, completing, entity, unset } = wattle;
const at = fc.constantFrom('2026-11-03T01:00:00.000Z', '2027-01-01T00:00:00.000Z');
const registrationId = fc.constantFrom('r1', 'r1', 'r1', 'r2');
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', '\0', '\uD800', 'x'.repeat(400)),
);
const email = fc.constantFrom('sam@wattle.example', 'sam@wattle.example', 'else@wattle.example');
const phone = fc.constantFrom('+61412345678', '+61412345678', '+61412345679');
const or = <T>(...usual: T[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, nasty);

/** Any part of a draft, mostly what a prospect could mean. */
const someAnswers = fc.oneof(
  { weight: 2, arbitrary: fc.constant(answers) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        region: fc.constantFrom('au', 'nz', null),
        trades: fc.array(or('plumbing', 'tiling', 'roofing', 'painting'), { maxLength: 4 }),
        specialties: fc.array(or('plumbing-leaks-and-taps', 'tiling-floors'), { maxLength: 3 }),
        entity: fc.constantFrom(null, entity, { ...entity, registered: false }, { ...entity, bn: '1' }),
        tradingName: or('wattle', ' '),
        firstName: or('Sam', ''),
        lastName: or('Okafor', ''),
        location: fc.constantFrom(unset, answers.location, { ...unset, radius: -1 }),
        email: or('sam@wattle.example', ' SAM@wattle.example', 'sam@'),
        phone: or('0412 345 678', '+61412345679', '04'),
        subscribe: fc.boolean(),
        terms: fc.boolean(),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
);

/** Next or Back with anything. */
const given = fc.record({
  step: fc.option(fc.integer({ min: -1, max: 7 })),
  answers: someAnswers,
  choosesPassword: fc.boolean(),
});

/** What may happen to a draft, in order now and then, in no order mostly; `record` and `complete` are for its registration. */
export type DraftStep = Readonly<
  | { kind: 'save'; given: AnswersGiven }
  | { kind: 'verify-email'; email: string }
  | { kind: 'change-phone' | 'verify-phone'; phone: string }
  | { kind: 'record' }
  | { kind: 'complete' }
>;

export const anyDraftStep: fc.Arbitrary<DraftStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('save' as const), given }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('verify-email' as const), email }) },
  fc.record({ kind: fc.constant('change-phone' as const), phone }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('verify-phone' as const), phone }) },
  { weight: 2, arbitrary: fc.constantFrom<DraftStep>({ kind: 'record' }, { kind: 'complete' }) },
);

/** Any draft: most are none that the rules of the steps lead to. */
const anyDraft: fc.Arbitrary<RegistrationDraft> = fc.record({
  step: fc.integer({ min: 0, max: 6 }),
  answers: someAnswers.map((some) => ({ ...noAnswers, ...some })),
  verifiedEmail: fc.option(email),
  verifiedPhone: fc.option(phone),
  passwordSet: fc.boolean(),
});

const of = (type: string, data: fc.Arbitrary<object>) =>
  fc.record({ type: fc.constant(type), at, data }) as unknown as fc.Arbitrary<RegistrationCommand>;

/** Any command to a registration: in order now and then, in no order mostly. */
export const anyRegistrationCommand: fc.Arbitrary<RegistrationCommand> = fc.oneof(
  of('StartRegistration', fc.record({ registrationId, plan: fc.constantFrom('starter', 'plus', 'pro') })),
  {
    weight: 4,
    arbitrary: of(
      'RecordMilestones',
      fc.record({ registrationId, draft: fc.oneof(fc.constant(wattle.draft), anyDraft) }),
    ),
  },
  {
    weight: 2,
    arbitrary: of(
      'CompleteRegistration',
      fc
        .record({ registrationId, email, phone, draft: fc.oneof(fc.constant(wattle.draft), anyDraft) })
        .map((reserved) => ({ ...completing, ...reserved })),
    ),
  },
);
