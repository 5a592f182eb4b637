import fc from 'fast-check';
import type { RegistrationCommand } from '#core/registration/decider.ts';
import { type AnswersGiven, noAnswers, type RegistrationDraft } from '#core/registration/draft.ts';
import type { Answers, RegisteredEntity, RegistrationEvent } from '#core/registration/events.ts';

const registrationId = 'r1';
const at = '2026-11-02T21:00:00.000Z';

const entity: RegisteredEntity = {
  ...{ bn: '51824753556', name: 'WATTLE PLUMBING PTY LTD', country: 'au' },
  ...{ registered: true, status: 'Active', postcode: '3056' },
};

const answers: Answers = {
  ...{ region: 'au', trades: ['plumbing'], specialties: ['plumbing-leaks-and-taps'], entity },
  ...{ tradingName: 'wattle\nplumbing', firstName: ' Sam', lastName: 'Okafor' },
  location: { lat: -37.77, lng: 144.96, radius: 20_000, zoom: 10 },
  ...{ email: 'sam@wattle.example', phone: '0412 345 678', subscribe: true, terms: true },
  showPhone: false,
};
const names = { tradingName: 'wattle plumbing', firstName: 'Sam', lastName: 'Okafor' } as const;
const coverage = { lat: -37.77, lng: 144.96, radius: 20_000 } as const;

const draft: RegistrationDraft = {
  ...{ step: 6, answers, passwordSet: true },
  ...{ verifiedEmail: 'sam@wattle.example', verifiedPhone: '+61412345678' },
};

const completing = {
  ...{
    registrationId,
    accountId: 'a1',
    businessId: 'b1',
    email: 'sam@wattle.example',
    phone: '+61412345678',
  },
  ...{ slug: 'wattle-plumbing', tagline: 'Plumbers, Brunswick VIC', timeZone: 'Australia/Melbourne' },
} as const;

/** A plumber in Brunswick on the way to an account; `draft` waits to be completed. */
export const wattle = { entity, answers, draft, completing, unset: noAnswers.location } as const;

export const started: RegistrationEvent<'RegistrationStarted'> = {
  type: 'RegistrationStarted',
  data: { registrationId, plan: 'plus', startedAt: at },
};

export const regionChosen: RegistrationEvent<'RegistrationRegionChosen'> = {
  type: 'RegistrationRegionChosen',
  data: { registrationId, region: 'au', chosenAt: at },
};

export const tradesChosen: RegistrationEvent<'RegistrationTradesChosen'> = {
  type: 'RegistrationTradesChosen',
  data: { registrationId, trades: answers.trades, specialties: answers.specialties, chosenAt: at },
};

export const businessIdentified: RegistrationEvent<'RegistrationBusinessIdentified'> = {
  type: 'RegistrationBusinessIdentified',
  data: { registrationId, entity, ...names, identifiedAt: at },
};

export const areaSet: RegistrationEvent<'RegistrationAreaSet'> = {
  type: 'RegistrationAreaSet',
  data: { registrationId, coverage, setAt: at },
};

export const emailVerified: RegistrationEvent<'RegistrationEmailVerified'> = {
  type: 'RegistrationEmailVerified',
  data: { registrationId, email: 'sam@wattle.example', verifiedAt: at },
};

export const phoneVerified: RegistrationEvent<'RegistrationPhoneVerified'> = {
  type: 'RegistrationPhoneVerified',
  data: { registrationId, phone: '+61412345678', verifiedAt: at },
};

export const passwordChosen: RegistrationEvent<'RegistrationPasswordChosen'> = {
  type: 'RegistrationPasswordChosen',
  data: { registrationId, chosenAt: at },
};

export const termsAccepted: RegistrationEvent<'RegistrationTermsAccepted'> = {
  type: 'RegistrationTermsAccepted',
  data: { registrationId, subscribe: true, acceptedAt: at },
};

/** Everything that a completion waits for. */
export const ready: readonly RegistrationEvent[] = [
  started,
  regionChosen,
  tradesChosen,
  businessIdentified,
  areaSet,
  emailVerified,
  phoneVerified,
  passwordChosen,
  termsAccepted,
];

export const completed: RegistrationEvent<'RegistrationCompleted'> = {
  type: 'RegistrationCompleted',
  data: {
    ...completing,
    ...{ region: 'au', plan: 'plus', trades: answers.trades, specialties: answers.specialties },
    ...{ bn: entity.bn, name: entity.name, ...names, coverage, showPhone: false, subscribe: true },
    completedAt: at,
  },
};

const { unset } = wattle;
const someTime = fc.constantFrom('2026-11-03T01:00:00.000Z', '2027-01-01T00:00:00.000Z');
const someId = fc.constantFrom('r1', 'r1', 'r1', 'r2');
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
        showPhone: fc.boolean(),
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
  fc.record({ type: fc.constant(type), at: someTime, data }) as unknown as fc.Arbitrary<RegistrationCommand>;

/** Any command to a registration: in order now and then, in no order mostly. */
export const anyRegistrationCommand: fc.Arbitrary<RegistrationCommand> = fc.oneof(
  of(
    'StartRegistration',
    fc.record({ registrationId: someId, plan: fc.constantFrom('starter', 'plus', 'pro') }),
  ),
  {
    weight: 4,
    arbitrary: of(
      'RecordMilestones',
      fc.record({ registrationId: someId, draft: fc.oneof(fc.constant(wattle.draft), anyDraft) }),
    ),
  },
  {
    weight: 2,
    arbitrary: of(
      'CompleteRegistration',
      fc
        .record({
          registrationId: someId,
          email,
          phone,
          draft: fc.oneof(fc.constant(wattle.draft), anyDraft),
        })
        .map((reserved) => ({ ...completing, ...reserved })),
    ),
  },
);
