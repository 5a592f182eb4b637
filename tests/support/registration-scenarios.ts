import { noAnswers, type RegistrationDraft } from '#core/registration/draft.ts';
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

/** The draft with these answers, at that step, as it was saved in the log before it lay in a table. */
export function saved(some: Partial<Answers>, step: number): RegistrationEvent<'RegistrationSaved'> {
  return { type: 'RegistrationSaved', data: { registrationId, step, ...noAnswers, ...some, savedAt: at } };
}

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
    ...{ bn: entity.bn, name: entity.name, ...names, coverage, subscribe: true, completedAt: at },
  },
};
