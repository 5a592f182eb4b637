import type { Answers, RegisteredEntity, RegistrationEvent } from '#core/registration/events.ts';
import { noAnswers } from '#core/registration/state.ts';

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

/** A plumber in Brunswick on the way to an account. */
export const wattle = { entity, answers, completing, unset: noAnswers.location } as const;

export const started: RegistrationEvent<'RegistrationStarted'> = {
  type: 'RegistrationStarted',
  data: { registrationId, plan: 'plus', startedAt: at },
};

/** The draft with these answers, at that step. */
export function answered(some: Partial<Answers>, step: number): RegistrationEvent<'RegistrationSaved'> {
  return { type: 'RegistrationSaved', data: { registrationId, step, ...noAnswers, ...some, savedAt: at } };
}

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

/** Everything that a completion waits for. */
export const ready: readonly RegistrationEvent[] = [
  started,
  answered(answers, 6),
  emailVerified,
  phoneVerified,
  passwordChosen,
];

export const completed: RegistrationEvent<'RegistrationCompleted'> = {
  type: 'RegistrationCompleted',
  data: {
    ...completing,
    ...{ region: 'au', plan: 'plus', trades: answers.trades, specialties: answers.specialties },
    ...{
      bn: entity.bn,
      name: entity.name,
      tradingName: 'wattle plumbing',
      firstName: 'Sam',
      lastName: 'Okafor',
    },
    coverage: { lat: -37.77, lng: 144.96, radius: 20_000 },
    ...{ subscribe: true, completedAt: at },
  },
};
